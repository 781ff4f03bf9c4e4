"""What every section of the settings is made of."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Base of the sections: unknown names are errors, values never change in place."""

    model_config = ConfigDict(extra="forbid", frozen=True)
