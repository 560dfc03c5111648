package dev.mailroom.inbound;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A domain that receives a mail, with the envelope's recipients in it.
 *
 * @param sourceLinked whether the event has a link to the source of the mail
 */
public record ReceivingDomain(UUID accountId, UUID domainId, List<String> recipients, boolean sourceLinked) {

	/**
	 * A domain that receives mail, with its account.
	 *
	 * @param rules the rules of its active routes, in their order
	 */
	public record Owner(UUID accountId, UUID domainId, List<InboundRoute.Rule> rules) {

		public Owner {
			rules = List.copyOf(rules);
		}

		/** The rule for a recipient at the domain; empty if no route matches. */
		public Optional<InboundRoute.Rule> rule(String recipient) {
			return InboundRoute.rule(this.rules, recipient);
		}

	}

}
