package dev.mailroom.mail.log;

import java.util.List;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Lists emails in a time that does not grow with their number: totals are read from
 * counters, cursors continue after the last email of a page, and a deep page is reached
 * from the nearest anchor.
 */
@Component
class EmailLog {

	/** Emails that a query may skip before an anchor is used. */
	private static final int MAX_SKIPPED = 5_000;

	/** Pending emails up to which they are found through the queue. */
	static final int MAX_PENDING = 2_000;

	private final EmailStore store;

	private final EmailLogStore log;

	private final PageAnchors anchors;

	EmailLog(EmailStore store, EmailLogStore log, PageAnchors anchors) {
		this.store = store;
		this.log = log;
		this.anchors = anchors;
	}

	/**
	 * A page of the emails that the scope may see. Call it inside a transaction.
	 * @param anchored whether a deep page is found from an anchor
	 * @throws PageAnchors.Missing if the anchors have to be created first
	 */
	Mono<Page<Email>> list(Scope scope, Email.Filter requested, Page.Request request, boolean anchored) {
		if (scope.domain() != null && requested.domainId() != null && !scope.domain().equals(requested.domainId())) {
			return Mono.just(new Page<>(List.of(), request, 0));
		}
		Email.Filter filter = (scope.domain() != null) ? new Email.Filter(scope.domain(), requested.status())
				: requested;
		return this.log.total(scope, filter)
			.flatMap((total) -> (total <= request.offset()) ? Mono.just(new Page<>(List.of(), request, total))
					: query(scope, filter, request, total, anchored)
						.flatMap((query) -> this.store.list(scope, filter, query).collectList())
						.map((emails) -> Page.cut(emails, request, total, Email::cursor)));
	}

	/**
	 * The query of a page. It reads one email more than the page holds, to detect whether
	 * there is a next page.
	 */
	private Mono<LogQuery> query(Scope scope, Email.Filter filter, Page.Request request, long total, boolean anchored) {
		LogQuery.Source source = source(filter.status(), total);
		long remaining = total - request.offset();
		long limit = Math.min(request.limit() + 1L, remaining);
		Page.@Nullable Cursor cursor = request.cursor();
		if (cursor != null && request.backward()) {
			return Mono.just(LogQuery.before(source, cursor, limit));
		}
		if (cursor != null || request.offset() <= MAX_SKIPPED) {
			return Mono.just(LogQuery.newest(source, cursor, request.offset(), limit));
		}
		LogQuery withoutAnchor = (remaining < request.offset()) ? LogQuery.oldest(source, remaining - limit, limit)
				: LogQuery.newest(source, null, request.offset(), limit);
		return (!anchored || remaining <= MAX_SKIPPED) ? Mono.just(withoutAnchor)
				: this.anchors.areUsable(scope, filter)
					.filter(Boolean::booleanValue)
					.flatMap((_) -> this.anchors.query(scope, filter, remaining, limit))
					.defaultIfEmpty(withoutAnchor);
	}

	private static LogQuery.Source source(@Nullable String status, long total) {
		return switch (status) {
			case null -> LogQuery.Source.ALL;
			case "bounced", "complained", "failed" -> LogQuery.Source.TROUBLE;
			case "pending" -> (total <= MAX_PENDING) ? LogQuery.Source.QUEUE : LogQuery.Source.COMMON;
			default -> LogQuery.Source.COMMON;
		};
	}

}
