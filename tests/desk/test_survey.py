"""A store's survey of its letters: the same in SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from referee.desk.log.log import write_time
from referee.desk.records import Change, Outgoing, TallyIn, TallyOut
from referee.desk.store.store import Store
from referee.desk.store.tables.rows import NOTES

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)


def test_letters_are_listed_and_counted(where: str) -> None:
    with Store.create(where) as store:
        assert (store.upkeep.oldest_waiting(), store.catalogue.all_rules(), store.outbox.games_given_up()) == (
            (None, None),
            {},
            [],
        )
        came = [store.inbox.receive(b"%d" % number, BEGIN + timedelta(seconds=number))[0] for number in range(45)]
        for letter in came[:3]:
            store.games.handle(letter, None, BEGIN + timedelta(seconds=10), lambda _: Change(note="south: moved"))
        store.inbox.postpone(came[3], None, "our own fault")
        names = [letter.digest for letter in came]
        assert [one.letter.digest for one in store.inbox.history()] == names[::-1]
        assert [one.letter.raw for one in store.inbox.history(names[7][:20])] == [b"7"]
        assert [*store.inbox.history("%")] == []
        assert sorted(store.inbox.tally()) == [
            TallyIn("", False, True, False, 41),
            TallyIn("our own fault", False, False, False, 1),
            TallyIn("south: moved", True, False, False, 3),
        ]
        assert sorted(store.inbox.handling_seconds(BEGIN)) == [8.0, 9.0]
        assert store.upkeep.oldest_waiting() == (came[4].received, None)
        out = [Outgoing(f"<{number}>", "a@example.org", b"", f"game-{number % 2}") for number in range(4)]
        store.games.change(None, BEGIN, lambda _: Change(letters=tuple(out)))
        store.outbox.sent([out[0]], BEGIN)
        store.outbox.unsent(out[1], None, "no")
        assert sorted(store.outbox.tally()) == [
            TallyOut("news", "given-up", 1),
            TallyOut("news", "sent", 1),
            TallyOut("news", "waiting", 2),
        ]
        assert store.outbox.games_given_up() == ["game-1"]
        assert [(one.letter.id, one.waits) for one in store.outbox.history("game-1")] == [
            ("<1>", False),
            ("<3>", True),
        ]
        assert len([*store.outbox.history()]) == 4
        assert store.upkeep.oldest_waiting() == (came[4].received, BEGIN)
        assert store.upkeep.damage() == []


def test_notes_are_found_among_many_letters_by_an_index(tmp_path: Path) -> None:
    """News and answers, millions on a desk, are not looked at."""
    with Store.create(tmp_path / "desk.sqlite") as store:
        out = [Outgoing("<1>", "a@example.org", b"", None, kind="note"), Outgoing("<2>", "b@example.org", b"", "g")]
        invited = Outgoing("<3>", "c@example.org", b"", "g", kind="invitation/one")
        store.games.change(None, BEGIN, lambda _: Change(letters=(*out, invited)))
        since = BEGIN - timedelta(days=1)
        assert store.outbox.notes(since) == [("a@example.org", BEGIN)]
        assert store.outbox.queued("invitation", since) == [("c@example.org", "invitation/one")]
        assert (store.outbox.notes(BEGIN), store.outbox.queued("invitation", BEGIN)) == ([], [])
        wanted = NOTES.params(since=write_time(since)).compile(compile_kwargs={"literal_binds": True})
        (plan,) = store.database.read(text(f"explain query plan {wanted}"))
        assert "outbox_rare (queued>?)" in plan.detail
