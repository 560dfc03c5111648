package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.EmailAddress;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * A delivery after its settlement, or after late feedback.
 *
 * @param attempt number of the attempt, counted from one
 * @param first whether this was the first attempt
 * @param firstDelay whether this is the delivery's first delay
 * @param bounce reason of the bounce; null for other results
 * @param waitedSeconds time from when the delivery was due to its settlement
 * @param forward the received mail that was forwarded; null for other mail
 * @param several whether the status of the mail is still to be set, because it depends on
 * several recipients
 */
record SettledDelivery(UUID id, UUID accountId, UUID domainId, UUID emailId, String recipient, String stream,
		DeliveryResult result, int attempt, boolean first, boolean firstDelay, Bounce.@Nullable Reason bounce,
		@Nullable String reply, double waitedSeconds, @Nullable Forwarded forward, boolean several) {

	static SettledDelivery of(Readable row) {
		return new SettledDelivery(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), value(row, "email_id", UUID.class), text(row, "recipient"),
				text(row, "stream"), DeliveryResult.of(text(row, "result")), number(row, "attempt"), on(row, "first"),
				on(row, "first_delay"), Bounce.Reason.of(row.get("bounce", String.class)),
				row.get("reply", String.class), value(row, "waited_seconds", Double.class), Forwarded.of(row),
				on(row, "several"));
	}

	static List<Event> events(List<SettledDelivery> settled) {
		return settled.stream().map(SettledDelivery::event).flatMap(Optional::stream).toList();
	}

	/** The event of the result; a delay has one only the first time. */
	private Optional<Event> event() {
		return kind().map((kind) -> {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("recipient", this.recipient);
			data.putAll(details((this.reply != null) ? this.reply : ""));
			return new Event(this.accountId, kind, this.emailId, data);
		});
	}

	private Optional<EventKind> kind() {
		if (this.forward != null && this.result != DeliveryResult.COMPLAINED) {
			return forwardKind(this.forward);
		}
		return switch (this.result) {
			case DEFERRED, UNOPENED ->
				this.firstDelay ? Optional.of(EventKind.EMAIL_DELIVERY_DELAYED) : Optional.empty();
			case EXPIRED, FAILED -> Optional.of(EventKind.EMAIL_FAILED);
			case DELIVERED -> Optional.of(EventKind.EMAIL_DELIVERED);
			case SENT -> Optional.of(EventKind.EMAIL_SENT);
			case BOUNCED -> Optional.of(EventKind.EMAIL_BOUNCED);
			case SUPPRESSED -> Optional.of(EventKind.EMAIL_SUPPRESSED);
			case COMPLAINED -> Optional.of(EventKind.EMAIL_COMPLAINED);
			case UNANSWERED -> Optional.empty();
		};
	}

	/** Acceptance by the next server is reported once, and delays are not. */
	private Optional<EventKind> forwardKind(Forwarded forward) {
		return switch (this.result) {
			case SENT, DELIVERED -> forward.confirms() ? Optional.empty() : Optional.of(EventKind.EMAIL_FORWARDED);
			case BOUNCED, EXPIRED, FAILED, SUPPRESSED -> Optional.of(EventKind.EMAIL_FORWARD_FAILED);
			case DEFERRED, UNOPENED, UNANSWERED, COMPLAINED -> Optional.empty();
		};
	}

	private Map<String, Object> details(String text) {
		return (this.forward != null && this.result != DeliveryResult.COMPLAINED) ? forwardDetails(this.forward, text)
				: ownDetails(text);
	}

	private Map<String, Object> forwardDetails(Forwarded forward, String text) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("received_id", forward.receivedId());
		details.put("address", forward.address());
		if (kind().filter(EventKind.EMAIL_FORWARD_FAILED::equals).isPresent()) {
			details.put("failed", Map.of("reason", this.result.contractName(), "diagnostic", text));
		}
		return details;
	}

	private Map<String, Object> ownDetails(String text) {
		return switch (this.result) {
			case BOUNCED -> Map.of("bounce", bounce(text));
			case EXPIRED -> Map.of("failed", Map.of("reason", "expired", "diagnostic", text));
			case FAILED -> Map.of("failed", Map.of("reason", text));
			case COMPLAINED -> Map.of("complaint", Map.of("feedback_type", text));
			case DELIVERED, SENT, DEFERRED, UNOPENED, UNANSWERED, SUPPRESSED -> Map.of();
		};
	}

	private Map<String, String> bounce(String text) {
		Bounce.Reason reason = (this.bounce != null) ? this.bounce : Bounce.Reason.OTHER;
		return Map.of("type", reason.type().contractName(), "reason", reason.contractName(), "code", Bounce.code(text),
				"diagnostic", text);
	}

	/** Whether the server refused the address without a reason. */
	boolean isUnexplained() {
		return this.result == DeliveryResult.BOUNCED && this.bounce == Bounce.Reason.UNEXPLAINED;
	}

	/** The delivery whose address was also refused without a reason on an earlier day. */
	SettledDelivery refusedAgain() {
		return new SettledDelivery(this.id, this.accountId, this.domainId, this.emailId, this.recipient, this.stream,
				this.result, this.attempt, this.first, this.firstDelay, Bounce.Reason.REFUSED_AGAIN, this.reply,
				this.waitedSeconds, this.forward, this.several);
	}

	/** The address in lower case, as the suppression list has it. */
	String address() {
		return EmailAddress.key(this.recipient);
	}

	/** The entry for the suppression list after a hard bounce or a complaint. */
	Stream<Suppressed> suppression() {
		if (!isHardBounce() && this.result != DeliveryResult.COMPLAINED) {
			return Stream.empty();
		}
		return Stream.of(new Suppressed(this.accountId, address(),
				isHardBounce() ? Suppression.Reason.HARD_BOUNCE : Suppression.Reason.COMPLAINT));
	}

	/** The count in the reputation of the sending domain. */
	Stream<ReputationCount> reputation() {
		return switch (this.result) {
			case SENT -> Stream.of(count(ReputationCount.Metric.SENT));
			case DELIVERED -> Stream.of(count(ReputationCount.Metric.DELIVERED));
			case BOUNCED -> Stream.of(count(bounceMetric()));
			case DEFERRED, UNOPENED, UNANSWERED, SUPPRESSED, FAILED, EXPIRED, COMPLAINED -> Stream.empty();
		};
	}

	ReputationCount.Metric bounceMetric() {
		return isHardBounce() ? ReputationCount.Metric.HARD_BOUNCED : ReputationCount.Metric.OTHER_BOUNCED;
	}

	boolean isHardBounce() {
		return this.result == DeliveryResult.BOUNCED && this.bounce != null && this.bounce.type() == Bounce.Type.HARD;
	}

	ReputationCount count(ReputationCount.Metric metric) {
		return new ReputationCount(this.accountId, this.domainId, metric, this.reply);
	}

	/** The last event of each mail whose status is still to be set. */
	static Map<UUID, String> lastEvents(List<SettledDelivery> settled) {
		Map<UUID, String> last = new LinkedHashMap<>();
		settled.stream()
			.filter(SettledDelivery::several)
			.forEach((delivery) -> last.put(delivery.emailId(), delivery.result().lastEvent()));
		return last;
	}

	/** The application events of a group: one for each metered result and stream. */
	static List<Outcomes.Settled> grouped(List<SettledDelivery> settled) {
		Map<Group, List<SettledDelivery>> groups = new LinkedHashMap<>();
		settled.forEach((delivery) -> groups
			.computeIfAbsent(new Group(delivery.result().metered(), delivery.stream()), (_) -> new ArrayList<>())
			.add(delivery));
		return groups.entrySet()
			.stream()
			.map((group) -> new Outcomes.Settled(group.getKey().result(), group.getKey().stream(),
					group.getValue().size(), group.getValue().stream().flatMap(SettledDelivery::firstWait).toList(),
					group.getValue().stream().map(SettledDelivery::attempt).toList()))
			.toList();
	}

	private Stream<Duration> firstWait() {
		return this.first ? Stream.of(Duration.ofNanos((long) (this.waitedSeconds * 1e9))) : Stream.empty();
	}

	/**
	 * An address that the result suppresses.
	 *
	 * @param address in lower case
	 */
	record Suppressed(UUID accountId, String address, Suppression.Reason reason) {
	}

	/**
	 * The received mail of a forward.
	 *
	 * @param address the address at which it was received
	 * @param confirms whether the acceptance by a server was reported before
	 */
	record Forwarded(String receivedId, String address, boolean confirms) {

		static @Nullable Forwarded of(Readable row) {
			@Nullable String received = row.get("received_id", String.class);
			return (received != null) ? new Forwarded(received, text(row, "from_email"), on(row, "confirms")) : null;
		}

	}

	private record Group(DeliveryResult result, String stream) {
	}

}
