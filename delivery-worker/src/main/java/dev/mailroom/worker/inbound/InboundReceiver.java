package dev.mailroom.worker.inbound;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.inbound.Destination;
import dev.mailroom.inbound.ReceivedMail;
import dev.mailroom.inbound.ReceivedMails;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Says which addresses take mail, and takes it: it is read, judged and kept before
 * anybody is told so.
 */
@Component
class InboundReceiver {

	private final ReceivedMails arrivals;

	private final InboundChecks judge;

	private final Postmaster postmaster;

	InboundReceiver(ReceivedMails arrivals, InboundChecks judge, Postmaster postmaster) {
		this.arrivals = arrivals;
		this.judge = judge;
		this.postmaster = postmaster;
	}

	/** Whose an address is; empty where it takes no mail here. */
	Mono<Destination.Owner> owner(String address) {
		return this.postmaster.isPlatforms(address) ? this.postmaster.platform()
				: Mono.justOrEmpty(EmailAddress.parse(address))
					.flatMap((read) -> this.arrivals.owner(read.domain()))
					.switchIfEmpty(Mono.defer(() -> this.postmaster.ofReturnPath(address)));
	}

	/** Keeps a mail for all of its recipients, each at a domain that takes mail. */
	Mono<Void> take(IncomingMail mail, List<Recipient> recipients) {
		List<String> addresses = recipients.stream().map(Recipient::address).toList();
		return Mono.fromSupplier(() -> MailReader.read(mail))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((read) -> this.judge.judge(mail, addresses, read.authors())
				.flatMap((verdicts) -> this.arrivals.keep(arrival(mail, read, verdicts), destinations(recipients))
					.then(Mono.defer(() -> this.postmaster.tell(mail, read, verdicts.spam(), recipients)))));
	}

	private static ReceivedMail arrival(IncomingMail mail, ReadMail read, ReceivedMail.Verdicts verdicts) {
		return new ReceivedMail(read.heading(), read.text(), read.files(), verdicts, mail.raw(), mail.sender(),
				read.messageId());
	}

	/** One for each domain: a key sees its own domain's mail and no other's. */
	private static List<Destination> destinations(List<Recipient> recipients) {
		Map<Destination.Owner, List<String>> byOwner = new LinkedHashMap<>();
		recipients
			.forEach((each) -> byOwner.computeIfAbsent(each.owner(), (_) -> new ArrayList<>()).add(each.address()));
		return byOwner.entrySet()
			.stream()
			.map((each) -> new Destination(each.getKey().accountId(), each.getKey().domainId(),
					each.getValue().stream().distinct().toList()))
			.toList();
	}

	/** Somebody to whom an envelope is addressed. */
	record Recipient(String address, Destination.Owner owner) {
	}

}
