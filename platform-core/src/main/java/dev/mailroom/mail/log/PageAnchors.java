package dev.mailroom.mail.log;

import java.util.UUID;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
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
	 * The query of a page that begins at a position; empty if the anchors do not lead
	 * there.
	 * @param rank the position of its first email among those of the filter, counted from
	 * the oldest
	 * @throws Missing if there is no anchor yet
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
		return this.log.nearest(scope, filter.domainId(), position)
			.switchIfEmpty(Mono.error(() -> new Missing(filter.domainId(), position)));
	}

	/** Creates the anchors that a page missed. */
	Mono<Void> create(Scope scope, Missing missing) {
		return this.log.createAnchors(scope, missing.domainId, missing.position, ANCHOR_DISTANCE, MAX_WALKED);
	}

	/**
	 * Reports that no anchor is near a position. A list only reads and cannot create it.
	 */
	static final class Missing extends RuntimeException {

		private final @Nullable UUID domainId;

		private final long position;

		Missing(@Nullable UUID domainId, long position) {
			super("No anchor is near position " + position, null, false, false);
			this.domainId = domainId;
			this.position = position;
		}

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
