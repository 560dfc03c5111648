package dev.mailroom.account;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Choices of members, of which events of their account they are told by mail. */
@Service
public class NoticeChoices {

	private final MemberStore store;

	private final Audits audits;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	NoticeChoices(MemberStore store, Audits audits, Transactions transactions, JdbcTransactions threads) {
		this.store = store;
		this.audits = audits;
		this.transactions = transactions;
		this.threads = threads;
	}

	/** The kinds of events of which the person who signed in is told. */
	public Mono<Set<NoticeKind>> of(Scope scope) {
		UUID person = scope.person().account();
		return this.transactions.in(scope, this.store.notices(scope, person)
			.map(NoticeKind::of)
			.switchIfEmpty(Mono.defer(
					() -> this.store.find(scope, person).map((member) -> NoticeKind.defaultsOf(member.memberRole())))));
	}

	/** Replaces the choice of the person who signed in. */
	public Mono<Set<NoticeKind>> choose(Scope scope, Collection<NoticeKind> kinds) {
		UUID person = scope.person().account();
		List<String> names = List.of(NoticeKind.names(kinds));
		return this.transactions.in(scope,
				this.store.setNotices(scope, person, names)
					.then(this.audits.record(scope, Act.NOTICES_CHOSEN, person, Map.of("notices", names)))
					.then(Mono.fromCallable(() -> NoticeKind.of(names))));
	}

	/**
	 * The members of an account who are told of a kind of events, with verified
	 * addresses. Waits on the calling thread.
	 */
	public List<Recipient> recipients(Scope scope, NoticeKind kind) {
		return this.threads.acrossAccounts((jdbc) -> this.store.recipients(jdbc, scope, kind));
	}

	/** A person who is told. */
	public record Recipient(UUID person, String email) {
	}

}
