"""A panel's side of the newer tray protocol, for session buses without a panel.

``python -m tests.parts.fake_panel`` owns org.kde.StatusNotifierWatcher and prints one JSON object for
each icon that registers: ``{"item": bus name, "title": …, "tip": …}``.
"""

import json
import os
from typing import Any

from jeepney import DBusAddress, MessageType, Properties, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields, Message

NAME = "org.kde.StatusNotifierWatcher"
PROPERTIES: dict[str, tuple[str, Any]] = {
    "IsStatusNotifierHostRegistered": ("b", True),
    "RegisteredStatusNotifierItems": ("as", []),
    "ProtocolVersion": ("i", 0),
}


def reply(connection: DBusConnection, message: Message) -> str | None:
    """Answer one call; the icon's bus name when it was a registration."""
    member = message.header.fields.get(HeaderFields.member)
    if member == "Get":
        connection.send(new_method_return(message, "v", (PROPERTIES[message.body[1]],)))
    elif member == "GetAll":
        connection.send(new_method_return(message, "a{sv}", (PROPERTIES,)))
    elif member in ("RegisterStatusNotifierItem", "RegisterStatusNotifierHost"):
        connection.send(new_method_return(message))
        if member == "RegisterStatusNotifierItem":
            service: str = message.body[0]
            sender: str = message.header.fields[HeaderFields.sender]
            return sender if service.startswith("/") else service
    else:
        connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
    return None


def look(bus: str, item: str) -> dict[str, str]:
    """What the icon says about itself, asked on a connection of its own."""
    with open_dbus_connection(bus) as asking:
        where = DBusAddress("/StatusNotifierItem", bus_name=item, interface="org.kde.StatusNotifierItem")
        title = asking.send_and_get_reply(Properties(where).get("Title"), timeout=5).body[0][1]
        tip = asking.send_and_get_reply(Properties(where).get("ToolTip"), timeout=5).body[0][1]
    return {"item": item, "title": title, "tip": f"{tip[2]} {tip[3]}".strip()}


def main() -> None:
    """Serve until the process is ended."""
    bus = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    connection = open_dbus_connection(bus)
    connection.send_and_get_reply(message_bus.RequestName(NAME))
    print(json.dumps({"ready": True}), flush=True)
    while True:
        message = connection.receive()
        if message.header.message_type is MessageType.method_call:
            item = reply(connection, message)
            if item:
                print(json.dumps(look(bus, item)), flush=True)


if __name__ == "__main__":
    main()
