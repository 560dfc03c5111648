package dev.mailroom.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.outcome.Outcome;
import dev.mailroom.outcome.Settlement;

/**
 * What is behind the fence.
 *
 * @param mails what was loaded of it
 * @param failed what comes of mails that are not whole
 */
record FenceResult(List<FencedRow> held, Map<UUID, MailStore.Loaded> mails, Map<UUID, Outcome> failed) {

	/** What goes no further: among it what has nothing to say, or nothing legible. */
	List<Settlement> barred() {
		List<Settlement> barred = new ArrayList<>();
		for (FencedRow one : this.held) {
			if (!one.mayPass()) {
				barred.add(new Settlement(one.lease(), one.reason()));
			}
			else if (this.failed.containsKey(one.emailId())) {
				barred.add(new Settlement(one.lease(), this.failed.get(one.emailId())));
			}
			else if (!this.mails.containsKey(one.emailId())) {
				barred.add(new Settlement(one.lease(), new Outcome.Failed("The mail's content cannot be read", true)));
			}
		}
		return barred;
	}

	List<HandOver> handOvers() {
		List<HandOver> handOvers = new ArrayList<>();
		for (FencedRow one : this.held) {
			MailStore.Loaded loaded = this.mails.get(one.emailId());
			if (one.mayPass() && loaded != null && !this.failed.containsKey(one.emailId())) {
				handOvers.add(new HandOver(one.lease(), one.accountId(), one.emailId(), loaded.domainId(),
						one.recipient(), one.attempt(), one.ambiguous(), loaded.mail(), one.contactId(),
						loaded.openTracking(), loaded.clickTracking()));
			}
		}
		return handOvers;
	}

}
