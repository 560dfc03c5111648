package dev.mailroom.outcome;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.tracking.Engagements;
import dev.mailroom.tracking.Token;
import dev.mailroom.tracking.Visitor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * The sandbox: a domain whose addresses play a fixed outcome. Mail to them is processed
 * and reported like any other, but not sent; it does not affect reputations or the
 * suppression list.
 */
@Component
public class Sandbox {

	private final Engagements engagements;

	private final String host;

	Sandbox(Engagements engagements, Settings settings) {
		this.engagements = engagements;
		this.host = "simulator." + settings.platformDomain().toLowerCase(Locale.ROOT);
	}

	/** The domain of the sandbox. */
	public String host() {
		return this.host;
	}

	/** The local part without its label, which selects the outcome. */
	public static String localPart(String recipient) {
		String local = recipient.substring(0, Math.max(0, recipient.lastIndexOf('@'))).toLowerCase(Locale.ROOT);
		int label = local.indexOf('+');
		return (label >= 0) ? local.substring(0, label) : local;
	}

	/** Complaints of sandbox recipients about the mail just delivered to them. */
	List<FeedbackReport> complaints(List<SettledDelivery> settled) {
		return delivered(settled).filter((delivery) -> localPart(delivery.recipient()).equals("complained"))
			.map((delivery) -> new FeedbackReport(delivery.accountId(), delivery.id(),
					new FeedbackReport.Kind.Complained("abuse")))
			.toList();
	}

	/** Records the opens and clicks of sandbox recipients, in the transaction. */
	Mono<Void> react(List<SettledDelivery> settled) {
		return Flux.fromStream(() -> delivered(settled)).concatMap(this::react).then();
	}

	private Stream<SettledDelivery> delivered(List<SettledDelivery> settled) {
		return settled.stream()
			.filter((delivery) -> delivery.result() == DeliveryResult.DELIVERED && contains(delivery.recipient()));
	}

	private Mono<Void> react(SettledDelivery delivery) {
		Mono<Void> opened = this.engagements.recordOpen(new Token.Open(delivery.accountId(), delivery.id()),
				Visitor.SANDBOX);
		return switch (localPart(delivery.recipient())) {
			case "opened" -> opened;
			case "clicked" -> opened
				.then(this.engagements.recordClick(new Token.Click(delivery.accountId(), delivery.id(), new UUID(0, 0)),
						"https://" + this.host + "/", Visitor.SANDBOX));
			default -> Mono.empty();
		};
	}

	/** Whether a recipient belongs to the sandbox. */
	boolean contains(String recipient) {
		int domain = recipient.lastIndexOf('@') + 1;
		return recipient.length() - domain == this.host.length()
				&& recipient.regionMatches(true, domain, this.host, 0, this.host.length());
	}

	/**
	 * Settings of the sandbox.
	 *
	 * @param platformDomain parent domain of the sandbox
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("mailroom.localhost") String platformDomain) {
	}

}
