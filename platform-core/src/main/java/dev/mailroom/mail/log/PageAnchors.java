package dev.mailroom.mail.log;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Anchors: emails deep in the list whose position is known. Positions are counted from
 * the oldest email; new emails do not change them.
 */
@Component
class PageAnchors {

	/** Distance of anchors, in emails. */
	static final int ANCHOR_DISTANCE = 5_000;

	/** Emails that one request may read to create anchors: a second or two of work. */
	private static final long MAX_WALKED = 5_000_000;

	/** Approximation steps; each is closer by the emails of other statuses found. */
	private static final int MAX_STEPS = 8;

	private final EmailLogStore log;

	PageAnchors(EmailLogStore log) {
		this.log = log;
	}

	/**
	 * The query of a page that begins at a position; empty if there is no anchor for it.
	 * @param rank the position of its first email among those of the filter, counted from
	 * the oldest
	 */
	Mono<LogQuery> query(Scope scope, Email.Filter filter, long rank, long limit) {
		LogQuery.Source source = (filter.status() == null) ? LogQuery.Source.ALL : LogQuery.Source.COMMON;
		return approach(scope, filter, rank, 0, MAX_STEPS)
			.map((position) -> LogQuery.fromAnchor(source, position.anchor().cursor(), position.rank() - rank, limit));
	}

	/**
	 * Whether emails of other statuses than the filter's are few enough to be counted.
	 */
	Mono<Boolean> areUsable(Scope scope, Email.Filter filter) {
		return (filter.status() == null) ? Mono.just(true) : this.log.isDominant(scope, filter);
	}

	/**
	 * Moves the anchor back by the number of emails of other statuses until it is
	 * reached.
	 */
	private Mono<Position> approach(Scope scope, Email.Filter filter, long rank, long others, int steps) {
		return nearest(scope, filter, rank + others)
			.flatMap((anchor) -> countOthers(scope, filter, anchor).map((count) -> new Position(anchor, count)))
			.flatMap((position) -> (position.rank() >= rank) ? Mono.just(position)
					: (steps > 0) ? approach(scope, filter, rank, position.others(), steps - 1) : Mono.empty());
	}

	private Mono<Long> countOthers(Scope scope, Email.Filter filter, EmailLogStore.Anchor anchor) {
		return (filter.status() == null) ? Mono.just(0L) : this.log.countOthers(scope, filter, anchor);
	}

	private Mono<EmailLogStore.Anchor> nearest(Scope scope, Email.Filter filter, long position) {
		Mono<EmailLogStore.Anchor> nearest = this.log.nearest(scope, filter.domainId(), position);
		return nearest.switchIfEmpty(
				Mono.defer(() -> this.log.createAnchors(scope, filter.domainId(), position, ANCHOR_DISTANCE, MAX_WALKED)
					.then(nearest)));
	}

	/**
	 * Position of an anchor in a filtered list.
	 *
	 * @param others emails at or before it that are not in the list
	 */
	private record Position(EmailLogStore.Anchor anchor, long others) {

		long rank() {
			return this.anchor.position() - this.others;
		}

	}

}
