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

import org.springframework.stereotype.Component;

/**
 * Recipients who are nobody: mail to them goes all the way but the last step. What comes
 * of it is told as ever; it counts for no reputation, and the addresses can be written to
 * again.
 */
@Component
public class Sandbox {

	private final Engagements engagements;

	private final String host;

	Sandbox(Engagements engagements, SandboxSettings settings) {
		this.engagements = engagements;
		this.host = "simulator." + settings.platformDomain().toLowerCase(Locale.ROOT);
	}

	/** Where its recipients live. */
	public String host() {
		return this.host;
	}

	/** What a recipient is to play: the local part without its label. */
	public static String part(String recipient) {
		String local = recipient.substring(0, Math.max(0, recipient.lastIndexOf('@'))).toLowerCase(Locale.ROOT);
		int label = local.indexOf('+');
		return (label >= 0) ? local.substring(0, label) : local;
	}

	/** Without those of its own. */
	Stream<SettledDelivery> others(List<SettledDelivery> changes) {
		return changes.stream().filter((change) -> !has(change.recipient()));
	}

	/** Late news without those of its own. */
	Stream<LateOutcome> real(List<LateOutcome> changes) {
		return changes.stream().filter((change) -> !has(change.recipient()));
	}

	/** What its recipients complain of as soon as the mail is theirs. */
	List<FeedbackReport> complaints(List<SettledDelivery> changes) {
		return delivered(changes).filter((change) -> part(change.recipient()).equals("complained"))
			.map((change) -> new FeedbackReport(change.accountId(), change.id(),
					new FeedbackReport.Kind.Complained("abuse")))
			.toList();
	}

	/**
	 * Its recipients open and click as soon as the mail is theirs. Inside the
	 * transaction.
	 */
	Mono<Void> react(List<SettledDelivery> changes) {
		return Flux.fromStream(() -> delivered(changes)).concatMap(this::react).then();
	}

	private Stream<SettledDelivery> delivered(List<SettledDelivery> changes) {
		return changes.stream().filter((change) -> change.word().equals("delivered") && has(change.recipient()));
	}

	private Mono<Void> react(SettledDelivery change) {
		Mono<Void> opened = this.engagements.opened(new Token.Open(change.accountId(), change.id()), Visitor.PLAYED);
		return switch (part(change.recipient())) {
			case "opened" -> opened;
			case "clicked" ->
				opened.then(this.engagements.clicked(new Token.Click(change.accountId(), change.id(), new UUID(0, 0)),
						"https://" + this.host + "/", Visitor.PLAYED));
			default -> Mono.empty();
		};
	}

	private boolean has(String recipient) {
		int domain = recipient.lastIndexOf('@') + 1;
		return recipient.length() - domain == this.host.length()
				&& recipient.regionMatches(true, domain, this.host, 0, this.host.length());
	}

}
