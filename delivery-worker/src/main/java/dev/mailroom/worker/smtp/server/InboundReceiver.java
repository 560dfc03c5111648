package dev.mailroom.worker.smtp.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.inbound.ArrivedMail;
import dev.mailroom.inbound.ReceivedMails;
import dev.mailroom.inbound.ReceivingDomain;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/** Finds the owner of an address, and parses, checks and stores received mail. */
@Component
class InboundReceiver {

	private final ReceivedMails mails;

	private final InboundChecks checks;

	private final Postmaster postmaster;

	private final MeterRegistry registry;

	InboundReceiver(ReceivedMails mails, InboundChecks checks, Postmaster postmaster, MeterRegistry registry) {
		this.mails = mails;
		this.checks = checks;
		this.postmaster = postmaster;
		this.registry = registry;
	}

	/** Owner of an address; empty if it accepts no mail. */
	Mono<ReceivingDomain.Owner> owner(String address) {
		return this.postmaster.isPlatforms(address) ? this.postmaster.platform()
				: Mono.justOrEmpty(EmailAddress.parse(address))
					.flatMap((parsed) -> this.mails.owner(parsed.domain()))
					.switchIfEmpty(Mono.defer(() -> this.postmaster.ofReturnPath(address)));
	}

	/** Whether the owner has received as much today as it may. */
	Mono<Boolean> isFull(ReceivingDomain.Owner owner) {
		return this.mails.isFull(owner.accountId());
	}

	/**
	 * Stores a mail for all of its recipients, and forwards it if it is to a postmaster.
	 */
	Mono<Void> receive(IncomingMail mail, List<Recipient> recipients) {
		List<String> addresses = recipients.stream().map(Recipient::address).toList();
		return Mono.fromSupplier(() -> MailReader.read(mail))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((message) -> this.checks.check(mail, addresses, message.authors())
				.doOnNext(this::count)
				.flatMap((results) -> this.mails.keep(receivedMail(mail, message, results), destinations(recipients))
					.then(Mono.defer(() -> this.postmaster.forward(mail, message, results.spam(), recipients)))));
	}

	private void count(CheckResults results) {
		Map.of("spam", results.spam(), "virus", results.virus(), "spf", results.spf(), "dkim", results.dkim(), "dmarc",
				results.dmarc())
			.forEach((check, result) -> this.registry
				.counter("mailroom.inbound.verdicts", "check", check, "verdict", result.name().toLowerCase(Locale.ROOT))
				.increment());
	}

	private static ArrivedMail receivedMail(IncomingMail mail, ParsedMessage message, CheckResults results) {
		return new ArrivedMail(message.heading(), message.text(), message.files(), results.verdicts(), mail.raw(),
				mail.sender(), message.messageId());
	}

	/**
	 * One destination per domain, because an API key may read only its own domain's mail.
	 */
	private static List<ReceivingDomain> destinations(List<Recipient> recipients) {
		Map<ReceivingDomain.Owner, List<String>> byOwner = new LinkedHashMap<>();
		recipients.forEach((recipient) -> byOwner.computeIfAbsent(recipient.owner(), (_) -> new ArrayList<>())
			.add(recipient.address()));
		return byOwner.entrySet()
			.stream()
			.map((entry) -> new ReceivingDomain(entry.getKey().accountId(), entry.getKey().domainId(),
					entry.getValue().stream().distinct().toList()))
			.toList();
	}

	/** A recipient of the envelope. */
	record Recipient(String address, ReceivingDomain.Owner owner) {
	}

}
