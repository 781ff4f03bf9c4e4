"""Requests that mean work for good, and look-alikes that are asked once; Korean and English.

``KNOWN`` were seen while the rules of ``core/goals`` were written. ``FIRST_HELD_OUT`` were written after
that: the rules caught 15 of its 30 standing ones then and took 5 of the 30 others for such, and were
widened by what it showed. ``HELD_OUT`` were written after that again; they are counted, not tuned on.
"""

from dataclasses import dataclass

from jarvis_desktop.core.items.speech import Language


@dataclass(frozen=True, slots=True)
class Sentence:
    """One request, and what a person means by it."""

    text: str
    standing: bool
    """To be looked after from now on; False: asked once."""

    @property
    def language(self) -> Language:
        """The one it is in."""
        return Language.KOREAN if any("가" <= char <= "힣" for char in self.text) else Language.ENGLISH


def _standing(*texts: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(text, standing=True) for text in texts)


def _once(*texts: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(text, standing=False) for text in texts)


REQUIRED = (
    *_standing(
        "조건 및 가장 좋은 원리금 납부액을 추천하는 공고만 알려줘",
        "서울에 새 행복주택 공고 나오면 알려줘",
        "월 부담 100만원 안쪽 공고 생기면 알려줘",
        "앞으로 추천 1순위 바뀌면 알려줘",
    ),
    *_once(
        "지금 올라온 공고 중 서울 것만 알려줘",
        "현금 1억, 월 150으로 맞는 공고 찾아줘",
        "가장 추천하는 게 뭐야?",
        "동탄 행복주택 마감일만 알려줘",
    ),
)
"""Those of G-114 and G-115."""
OWN = (
    *_standing(
        "다운로드 폴더에 새 PDF 들어오면 알려줘",
        "빌드가 깨지면 바로 알려줘",
        "디스크 용량이 10기가 밑으로 내려가면 말해줘",
        "앞으로 회의록이 올라올 때마다 요약해 줘",
        "전세 대출 금리가 바뀌면 얘기해 줘",
        "청약 일정 새로 뜨면 그때그때 알려줘",
        "이 웹페이지 내용이 달라지면 알려줄래?",
        "계속 지켜보다가 가격이 오르면 알려줘",
        "동생한테 메일 오면 알려주세요",
        "매일 아침 날씨 확인해서 비 오는 날만 알려줘",
        "앞으로 중요한 공지만 알려줘",
        "TODO 파일에 새 항목이 생길 때마다 정리해 줘",
        "서버 로그에 에러가 찍히면 알려 줘",
        "남은 재고가 다섯 개 이하가 되면 꼭 알려줘",
        "우리 동네 채용 공고 계속 챙겨줘",
        "Let me know when a new release of Python is out",
        "Tell me whenever a file lands in my Downloads folder",
        "From now on warn me when the disk is nearly full",
        "Keep an eye on the build and tell me if it breaks",
        "Notify me as soon as the tickets go on sale",
        "Ping me every time the log has an error",
        "Watch this page and let me know if the price drops",
        "Keep me posted on new housing notices in Seoul",
        "Alert me once the download is finished",
        "Tell me only when something new comes up in the notices",
        "If the exchange rate goes above 1400, let me know",
        "Any time my sister writes, tell me right away",
        "Please keep track of new papers about sleep and tell me about them",
        "Going forward, summarise every new meeting note for me",
        "When my order ships, message me",
    ),
    *_once(
        "이 폴더에서 PDF 파일만 알려줘",
        "오늘 일정만 알려줘",
        "회의록에서 결정된 것만 짧게 알려줘",
        "빌드가 왜 깨졌는지 알려줘",
        "지금 디스크가 얼마나 남았는지 알려줘",
        "비가 오면 어떤 신발이 좋은지 알려줘",
        "파일 이름이 바뀌면 링크가 깨져?",
        "에러가 나면 어떻게 해야 하는지 알려줘",
        "새 메일 온 거 있어?",
        "금리가 오르면 집값은 어떻게 돼?",
        "이번 주에 새로 나온 공고 요약해 줘",
        "앞으로 남은 휴일이 며칠인지 알려줘",
        "매일 먹는 약 이름이 뭐였지?",
        "방금 나온 뉴스 중 중요한 것만 말해줘",
        "찾으면 알려줘: 계약서.pdf 가 어디 있는지",
        "Tell me only the deadline of the Dongtan notice",
        "Let me know which of these files is the largest",
        "Tell me when the next train to Busan leaves",
        "Do you know when the meeting starts?",
        "Only show me the PDF files in this folder",
        "What happens if the disk is full?",
        "Tell me if there is a file called notes.txt here",
        "Is there anything new in the log right now?",
        "When was this file last changed?",
        "Let me know what you think of this text",
        "Tell me once more what the plan was",
        "How do I get notified when a build breaks?",
        "Watch out, that command is dangerous. What does it do?",
        "Summarise every file in this folder",
        "Remind me what we said about the budget",
    ),
)
KNOWN = (*REQUIRED, *OWN)
FIRST_HELD_OUT = (
    *_standing(
        "새 버전 나오거든 말해줘",
        "집 앞에 따릉이가 세 대 이상 남으면 알려 주라",
        "교수님 홈페이지에 공지 뜨는지 봐 뒀다가 알려줘",
        "배송 시작되면 나한테 톡 보내줘",
        "주식이 5만 원 아래로 떨어지면 바로 알려줘",
        "앞으로 스팸 같은 건 알아서 정리해 줘",
        "경쟁사 블로그에 글 올라오면 요약해서 알려줘",
        "백업이 실패하면 꼭 말해주세요",
        "매주 월요일에 지출 정리해서 알려줘",
        "예약 취소 자리 생기는 대로 알려줘",
        "연차 남은 거 줄어들 때마다 알려줘",
        "특가 항공권 뜨면 제일 먼저 알려줄래?",
        "이 논문 인용되면 알려줘",
        "미세먼지 나쁨인 날엔 아침에 알려줘",
        "계약서 폴더 누가 고치면 알려줘",
        "Give me a heads-up when the server goes down",
        "I want to hear about any new job posting at Hyundai",
        "Let me know the moment a seat opens up",
        "Could you tell me when the report has been uploaded?",
        "Monitor the CPU temperature and warn me above 90 degrees",
        "Whenever a new invoice arrives, file it under Taxes",
        "Please alert us if the backup fails",
        "Check the weather every morning and tell me if it will rain",
        "Make sure I hear about it when the price falls below 100",
        "From now on, only tell me about the urgent mails",
        "Stay on top of the election news for me",
        "Let me know when the kids' school posts a new notice",
        "If anyone touches the contracts folder, tell me",
        "Inform me once the visa decision is in",
        "Each time I get a parking ticket, remind me to pay it",
    ),
    *_once(
        "이 표에서 합계만 말해줘",
        "어제 온 메일 중에 급한 것만 알려줘",
        "비밀번호 바꾸면 다시 로그인해야 해?",
        "이 명령을 실행하면 무슨 일이 생기는지 알려줘",
        "서울에서 살기 좋은 동네만 골라줘",
        "모르면 모른다고 말해줘",
        "틀린 부분 있으면 알려줘",
        "계속 오류가 나는데 왜 그런지 봐줘",
        "앞으로의 일정 정리해 줘",
        "제일 싼 것만 알려줘",
        "이해가 안 되면 말해줘",
        "매일 쓰는 명령어 알려줘",
        "파이썬 설치하려면 어떻게 하면 되는지 알려줘",
        "남은 할 일만 알려줘",
        "다 읽으면 요약해서 알려줘",
        "Tell me when the French Revolution began",
        "Let me know if you need more details",
        "Only list the files that changed today",
        "When does the store open?",
        "Tell me if this sentence is correct",
        "Let me know once you are done",
        "What should I do if the build fails?",
        "If it rains tomorrow, what should I wear?",
        "Tell me how to watch for changes in a folder",
        "Explain what happens every time I press this button",
        "Let me know how many new mails there are",
        "Who should I call when the heating breaks?",
        "Find out if the shop is open and tell me",
        "Remind me when my passport expires",
        "Tell me about the new features in Python",
    ),
)
HELD_OUT = (
    *_standing(
        "할머니 약 떨어질 때 되면 말해 줘",
        "내 발표 자료에 누가 댓글 달면 알려줘",
        "유튜브에 새 강의 업로드되면 알려 주세요",
        "이제부터 택배 오면 바로바로 알려줘",
        "회사 주차장 자리가 비면 나한테 먼저 알려줘",
        "원달러 환율이 1300원대로 내려오면 알려주라",
        "시험 성적 발표 났는지 수시로 확인하고 알려줘",
        "우리 팀 위키가 업데이트될 때마다 뭐가 바뀌었는지 알려줘",
        "강아지 사료 세일하면 알려줘",
        "출근길 지하철 지연되면 미리 말해줘",
        "앞으로 광고 메일은 읽지 말고 지워 줘",
        "집값이 내려가기 시작하면 꼭 얘기해줘",
        "병원 예약 빈자리가 있는지 틈틈이 봐줘",
        "로또 당첨되면 알려줘",
        "친구 블로그 새 글만 계속 알려줘",
        "I'd like to be told when the concert tickets are released",
        "Ping me if the website goes offline",
        "Let me know when my parcel is out for delivery",
        "Keep checking the visa page and tell me when slots open",
        "Tell me as soon as Anna answers",
        "As soon as there is news about the merger, let me know",
        "Please watch the logs for errors",
        "Don't let me miss any new episode of the podcast",
        "In the future, always ask me before you post anything",
        "Track the price of this laptop and notify me below 900 euros",
        "Let me know if a cheaper flight comes up",
        "Every time the tests fail, open an issue",
        "Text me once the washing machine is done",
        "I need to know right away when the boiler pressure falls",
        "Tell me whenever it is going to freeze at night",
    ),
    *_once(
        "회의 참석자 이름만 알려줘",
        "이 코드 어디가 느린지 알려줘",
        "주말에 비 오면 우산 챙겨야 할까?",
        "가장 최근에 바뀐 파일만 보여 줘",
        "설정을 바꾸면 어떤 점이 달라져?",
        "앞으로 어떤 기술이 뜰까?",
        "시간 되면 이것 좀 봐줘",
        "요약하면 뭐라고 말할 수 있어?",
        "질문 있으면 말해",
        "이 문장을 영어로 하면 뭐야? 알려줘",
        "다운로드가 왜 계속 실패하는지 알려줘",
        "매일 운동하면 좋은 점 알려줘",
        "3월 매출만 알려줘",
        "여기서 부산까지 차로 가면 얼마나 걸리는지 알려줘",
        "준비되면 시작해",
        "Tell me when the Olympics take place",
        "Let me know which one you prefer",
        "Tell me if 91 is prime",
        "Only tell me the names",
        "When I run the tests, what fails?",
        "Can you tell me when sunrise is tomorrow?",
        "If I delete this folder, will you notify me?",
        "How can I keep track of my expenses?",
        "Tell me what changes every time the script runs",
        "Once upon a time there was a fox. Continue the story and let me know the moral",
        "Let me know the price of gold",
        "Write a mail that tells my boss I will be late whenever it snows",
        "Tell me whether the new printer works",
        "Show me the log from when the server crashed",
        "What time is it when it is noon in Seoul?",
    ),
)
