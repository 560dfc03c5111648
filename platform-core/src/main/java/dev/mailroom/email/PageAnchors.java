package dev.mailroom.email;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Known places deep in the log. Counted from the oldest mail, a place stays where it is
 * whatever is accepted, so it is found once and kept.
 */
@Component
class PageAnchors {

	/** An anchor stands at every so many mails. */
	static final int EVERY = 5_000;

	/** Mails that one request may walk over to set anchors: a second or two of work. */
	private static final long MOST_WALKED = 5_000_000;

	/**
	 * So many rounds come near enough: in each the few mails of other status are fewer.
	 */
	private static final int ROUNDS = 8;

	private final EmailLogStore log;

	PageAnchors(EmailLogStore log) {
		this.log = log;
	}

	/**
	 * The part of the log that begins at a place; empty where no anchor leads there.
	 * @param rank the place of its first mail, counted from the oldest of the filter's
	 */
	Mono<LogQuery> behind(Scope scope, Email.Filter filter, long rank, long limit) {
		LogQuery.Source source = (filter.status() == null) ? LogQuery.Source.ALL : LogQuery.Source.COMMON;
		return approach(scope, filter, rank, 0, ROUNDS)
			.map((place) -> LogQuery.fromAnchor(source, place.anchor().cursor(), place.rank() - rank, limit));
	}

	/**
	 * Whether mails of other statuses than the filter's are so few that they can be
	 * counted.
	 */
	Mono<Boolean> lead(Scope scope, Email.Filter filter) {
		return (filter.status() == null) ? Mono.just(true) : this.log.dominates(scope, filter);
	}

	/** Looks further back, by as many mails as turned out to be of another status. */
	private Mono<Place> approach(Scope scope, Email.Filter filter, long rank, long others, int rounds) {
		return nearest(scope, filter, rank + others)
			.flatMap((anchor) -> others(scope, filter, anchor).map((more) -> new Place(anchor, more)))
			.flatMap((place) -> (place.rank() >= rank) ? Mono.just(place)
					: (rounds > 0) ? approach(scope, filter, rank, place.others(), rounds - 1) : Mono.empty());
	}

	private Mono<Long> others(Scope scope, Email.Filter filter, EmailLogStore.Anchor anchor) {
		return (filter.status() == null) ? Mono.just(0L) : this.log.others(scope, filter, anchor);
	}

	private Mono<EmailLogStore.Anchor> nearest(Scope scope, Email.Filter filter, long position) {
		Mono<EmailLogStore.Anchor> nearest = this.log.nearest(scope, filter.domainId(), position);
		return nearest.switchIfEmpty(Mono
			.defer(() -> this.log.anchor(scope, filter.domainId(), position, EVERY, MOST_WALKED).then(nearest)));
	}

	/**
	 * An anchor as the filter's list has it.
	 *
	 * @param others how many mails at or before it are not of that list
	 */
	private record Place(EmailLogStore.Anchor anchor, long others) {

		long rank() {
			return this.anchor.position() - this.others;
		}

	}

}
