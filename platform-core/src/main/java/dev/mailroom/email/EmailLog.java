package dev.mailroom.email;

import java.util.List;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Lists mails however many there are: totals are kept and not counted, cursors lead
 * behind the last mail seen, and a deep page is walked to from the nearest known place.
 */
@Component
class EmailLog {

	/** So many mails are walked over without looking for a nearer place. */
	private static final int NEAR = 5_000;

	/** Of so few that are pending the queue knows which. */
	static final int FEW = 2_000;

	private final EmailStore store;

	private final EmailLogStore log;

	private final PageAnchors anchors;

	EmailLog(EmailStore store, EmailLogStore log, PageAnchors anchors) {
		this.store = store;
		this.log = log;
		this.anchors = anchors;
	}

	/** A page of what the scope may see. Inside a transaction. */
	Mono<Page<Email>> list(Scope scope, Email.Filter asked, Page.Request request) {
		if (scope.domain() != null && asked.domainId() != null && !scope.domain().equals(asked.domainId())) {
			return Mono.just(new Page<>(List.of(), request, 0));
		}
		Email.Filter filter = (scope.domain() != null) ? new Email.Filter(scope.domain(), asked.status()) : asked;
		return this.log.total(scope, filter)
			.flatMap((total) -> (total <= request.offset()) ? Mono.just(new Page<>(List.of(), request, total))
					: slice(scope, filter, request, total)
						.flatMap((slice) -> this.store.list(scope, filter, slice).collectList())
						.map((emails) -> Page.cut(emails, request, total, Email::cursor)));
	}

	/**
	 * One more than the page holds, to know whether it goes on; but none that is not
	 * there.
	 */
	private Mono<LogQuery> slice(Scope scope, Email.Filter filter, Page.Request request, long total) {
		LogQuery.Source source = source(filter.status(), total);
		long remaining = total - request.offset();
		long limit = Math.min(request.limit() + 1L, remaining);
		if (request.cursor() != null || request.offset() <= NEAR) {
			return Mono.just(LogQuery.newest(source, request.cursor(), request.offset(), limit));
		}
		LogQuery nearer = (remaining < request.offset()) ? LogQuery.oldest(source, remaining - limit, limit)
				: LogQuery.newest(source, null, request.offset(), limit);
		return (remaining <= NEAR) ? Mono.just(nearer)
				: this.anchors.lead(scope, filter)
					.filter(Boolean::booleanValue)
					.flatMap((_) -> this.anchors.behind(scope, filter, remaining, limit))
					.defaultIfEmpty(nearer);
	}

	private static LogQuery.Source source(@Nullable String status, long total) {
		return switch (status) {
			case null -> LogQuery.Source.ALL;
			case "bounced", "complained", "failed" -> LogQuery.Source.TROUBLE;
			case "pending" -> (total <= FEW) ? LogQuery.Source.QUEUE : LogQuery.Source.COMMON;
			default -> LogQuery.Source.COMMON;
		};
	}

}
