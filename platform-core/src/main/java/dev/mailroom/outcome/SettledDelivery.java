package dev.mailroom.outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;
import dev.mailroom.reputation.ReputationCount;
import dev.mailroom.suppression.Suppressed;
import dev.mailroom.suppression.SuppressionKey;
import dev.mailroom.suppression.SuppressionReason;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.wire.RowColumns.number;
import static dev.mailroom.wire.RowColumns.on;
import static dev.mailroom.wire.RowColumns.text;
import static dev.mailroom.wire.RowColumns.value;

/**
 * A delivery as settling left it.
 *
 * @param word what happened, in one word: delivered, sent, bounced, deferred, unopened,
 * suppressed, failed, expired or complained
 * @param attempt which one it was, counted from one
 * @param first whether this was the first attempt
 * @param firstDelay whether it is put off for the first time
 * @param bounce what is at fault where it bounced: hard, soft or block
 * @param waitedSeconds from the mail's being due to its first attempt
 */
record SettledDelivery(UUID id, UUID accountId, UUID domainId, UUID emailId, String recipient, String stream,
		String word, int attempt, boolean first, boolean firstDelay, @Nullable String bounce, @Nullable String reply,
		double waitedSeconds) {

	static SettledDelivery of(Readable row) {
		return new SettledDelivery(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), value(row, "email_id", UUID.class), text(row, "recipient"),
				text(row, "stream"), text(row, "word"), number(row, "attempt"), on(row, "first"),
				on(row, "first_delay"), row.get("bounce", String.class), row.get("reply", String.class),
				value(row, "waited_seconds", Double.class));
	}

	/** The mail's last event. */
	String lastEvent() {
		return switch (this.word) {
			case "deferred", "unopened" -> "delivery_delayed";
			default -> this.word;
		};
	}

	/**
	 * What is told to the sender; a delay only the first time, for it is the same news
	 * after that.
	 */
	Optional<Event> event() {
		@Nullable Kind kind = kind();
		if (kind == null) {
			return Optional.empty();
		}
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("recipient", this.recipient);
		String said = (this.reply != null) ? this.reply : "";
		switch (this.word) {
			case "bounced" -> data.put("bounce",
					Map.of("type", String.valueOf(this.bounce), "code", Bounce.code(said), "diagnostic", said));
			case "expired" -> data.put("failed", Map.of("reason", "expired", "diagnostic", said));
			case "failed" -> data.put("failed", Map.of("reason", said));
			case "complained" -> data.put("complaint", Map.of("feedback_type", said));
			default -> {
				// The rest is told by its kind alone.
			}
		}
		return Optional.of(new Event(this.accountId, kind, this.emailId, data));
	}

	private @Nullable Kind kind() {
		return switch (this.word) {
			case "deferred", "unopened" -> this.firstDelay ? Kind.EMAIL_DELIVERY_DELAYED : null;
			case "sent" -> Kind.EMAIL_SENT;
			case "delivered" -> Kind.EMAIL_DELIVERED;
			case "bounced" -> Kind.EMAIL_BOUNCED;
			case "complained" -> Kind.EMAIL_COMPLAINED;
			case "suppressed" -> Kind.EMAIL_SUPPRESSED;
			case "failed", "expired" -> Kind.EMAIL_FAILED;
			default -> throw new IllegalStateException("No event kind for the outcome " + this.word);
		};
	}

	/** Who is not written to again. */
	Stream<Suppressed> suppression() {
		SuppressionReason reason = isHard() ? SuppressionReason.HARD_BOUNCE : SuppressionReason.COMPLAINT;
		return (isHard() || this.word.equals("complained")) ? Stream
			.of(new Suppressed(new SuppressionKey(this.accountId, this.recipient.toLowerCase(Locale.ROOT)), reason))
				: Stream.empty();
	}

	/** What it adds to the record of the domain it came from. */
	Stream<ReputationCount> mark() {
		return switch (this.word) {
			case "sent" -> Stream.of(mark(ReputationCount.Sign.SENT));
			case "delivered" -> Stream.of(mark(ReputationCount.Sign.DELIVERED));
			case "bounced" -> isHard() ? Stream.of(mark(ReputationCount.Sign.HARD_BOUNCED)) : Stream.empty();
			default -> Stream.empty();
		};
	}

	private boolean isHard() {
		return this.word.equals("bounced") && Bounce.Type.HARD.wire().equals(this.bounce);
	}

	private ReputationCount mark(ReputationCount.Sign sign) {
		return new ReputationCount(this.accountId, this.domainId, sign, this.reply);
	}

	/** The last event of each mail. */
	static Map<UUID, String> lastEvents(List<SettledDelivery> changes) {
		Map<UUID, String> last = new LinkedHashMap<>();
		changes.forEach((change) -> last.put(change.emailId(), change.lastEvent()));
		return last;
	}

	/** What is told to the meters: one for each outcome and stream. */
	static List<Settled> grouped(List<SettledDelivery> changes) {
		Map<List<String>, List<SettledDelivery>> groups = new LinkedHashMap<>();
		changes.forEach(
				(change) -> groups.computeIfAbsent(List.of(change.meter(), change.stream()), (_) -> new ArrayList<>())
					.add(change));
		return groups.entrySet()
			.stream()
			.map((group) -> new Settled(group.getKey().getFirst(), group.getKey().getLast(), group.getValue().size(),
					group.getValue().stream().flatMap(SettledDelivery::firstWait).toList()))
			.toList();
	}

	/** What an attempt is shown to have come to. */
	String shownOutcome() {
		return this.word.equals("unopened") ? "deferred" : this.word;
	}

	private String meter() {
		return switch (this.word) {
			case "unopened" -> "deferred";
			case "expired" -> "failed";
			default -> this.word;
		};
	}

	private Stream<Duration> firstWait() {
		return this.first ? Stream.of(Duration.ofNanos((long) (this.waitedSeconds * 1e9))) : Stream.empty();
	}

}
