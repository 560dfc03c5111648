package dev.mailroom.worker.inbound;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.account.Account;
import dev.mailroom.inbound.Destination;
import dev.mailroom.inbound.ReceivedMails;
import dev.mailroom.notice.PostmasterNotices;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The mailboxes that every server of mail has (RFC 5321 4.5.1, RFC 2142): under the
 * platform's names, and under those of the return paths it serves. What is written to
 * them is kept as the platform's own mail, and its words are sent to the operator.
 */
@Component
class Postmaster {

	/** The one mailbox that needs no domain. */
	private static final String NAME = "postmaster";

	private static final Set<String> MAILBOXES = Set.of(NAME, "abuse");

	private static final String RETURN_PATHS = "bounce.";

	/** Mails that the operator is sent an hour: whoever floods us floods nobody else. */
	private static final int HOURLY = 20;

	private final Cache<String, AtomicInteger> told = Caffeine.newBuilder()
		.expireAfterWrite(Duration.ofHours(1))
		.build();

	private final ReceivedMails arrivals;

	private final PostmasterNotices notices;

	private final PostmasterSettings settings;

	Postmaster(ReceivedMails arrivals, PostmasterNotices notices, PostmasterSettings settings) {
		this.arrivals = arrivals;
		this.notices = notices;
		this.settings = settings;
	}

	/** Whether an address is the platform's by its words alone. */
	boolean isPlatforms(String address) {
		return isMailbox(address) && (!address.contains("@") || this.settings.isOurs(host(address)));
	}

	/** Whose such a mailbox is of a return path's host; empty where it is none. */
	Mono<Destination.Owner> ofReturnPath(String address) {
		String host = host(address);
		return (isMailbox(address) && host.startsWith(RETURN_PATHS))
				? this.arrivals.owner(host.substring(RETURN_PATHS.length())).flatMap((_) -> platform()) : Mono.empty();
	}

	/** The platform; an error in the first moments, until its domain is made. */
	Mono<Destination.Owner> platform() {
		return this.arrivals.owner(this.settings.domain())
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("The platform's domain is not there yet")));
	}

	/**
	 * Sends on what was written to these mailboxes, once. A notification, spam, and what
	 * we wrote ourselves stay where they are: so nothing goes in circles.
	 */
	Mono<Void> tell(IncomingMail mail, ReadMail read, String spam, List<InboundReceiver.Recipient> recipients) {
		List<String> ours = recipients.stream()
			.filter((each) -> each.owner().accountId().equals(Account.PLATFORM) && isMailbox(each.address()))
			.map(InboundReceiver.Recipient::address)
			.toList();
		String operator = this.settings.operatorEmail();
		if (ours.isEmpty() || operator.isBlank() || mail.sender().isEmpty() || spam.equals(CheckResult.FAIL.name())
				|| isOwn(read) || isFlooded(operator)) {
			return Mono.empty();
		}
		return this.notices.forward(operator,
				new PostmasterNotices.Received(mail.sender(), ours, read.heading().subject(), text(read)),
				digest(mail.raw()));
	}

	private boolean isFlooded(String operator) {
		return this.told.get(operator, (_) -> new AtomicInteger()).incrementAndGet() > HOURLY;
	}

	/** Passed on by others, a mail keeps its Message-ID. */
	private boolean isOwn(ReadMail read) {
		return Objects.requireNonNullElse(read.messageId(), "")
			.toLowerCase(Locale.ROOT)
			.endsWith("@" + this.settings.domain() + ">");
	}

	private static String text(ReadMail read) {
		return Objects.requireNonNullElseGet(read.text().text(),
				() -> Objects.requireNonNullElse(read.text().html(), ""));
	}

	private static boolean isMailbox(String address) {
		int at = address.lastIndexOf('@');
		return (at < 0) ? address.equalsIgnoreCase(NAME)
				: MAILBOXES.contains(address.substring(0, at).toLowerCase(Locale.ROOT));
	}

	private static String host(String address) {
		int at = address.lastIndexOf('@');
		return (at < 0) ? "" : address.substring(at + 1).toLowerCase(Locale.ROOT);
	}

	private static String digest(byte[] raw) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(raw));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This Java platform has no SHA-256", ex);
		}
	}

}
