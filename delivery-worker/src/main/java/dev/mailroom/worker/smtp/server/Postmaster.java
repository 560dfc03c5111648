package dev.mailroom.worker.smtp.server;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.ClientNetwork;
import dev.mailroom.inbound.ReceivedMails;
import dev.mailroom.inbound.ReceivingDomain;
import dev.mailroom.secret.Sha256;
import dev.mailroom.upkeep.PostmasterNotices;
import dev.mailroom.worker.smtp.server.MailReader.ParsedMessage;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Mailboxes postmaster and abuse (RFC 5321 section 4.5.1, RFC 2142) of the platform's
 * names and of the return paths that it serves. Mail to them is stored for the platform's
 * own account and its text is forwarded to the operator.
 */
@Component
class Postmaster {

	/** The only mailbox that is valid without a domain. */
	private static final String NAME = "postmaster";

	private static final Set<String> MAILBOXES = Set.of(NAME, "abuse");

	private static final String RETURN_PATHS = "bounce.";

	/** Limit on the mails forwarded to the operator per hour. */
	private static final int MAX_PER_HOUR = 100;

	/** Limit on those of one client, so that it cannot use up that of all. */
	private static final int MAX_PER_CLIENT = 5;

	private static final String ALL_CLIENTS = "";

	private static final int MAX_CLIENTS = 10_000;

	private final Cache<String, AtomicInteger> forwarded = Caffeine.newBuilder()
		.expireAfterWrite(Duration.ofHours(1))
		.maximumSize(MAX_CLIENTS)
		.build();

	private final ReceivedMails mails;

	private final PostmasterNotices notices;

	private final PostmasterSettings settings;

	Postmaster(ReceivedMails mails, PostmasterNotices notices, PostmasterSettings settings) {
		this.mails = mails;
		this.notices = notices;
		this.settings = settings;
	}

	/** Whether this is a mailbox of the platform by its name alone. */
	boolean isPlatforms(String address) {
		return isMailbox(address) && (!address.contains("@") || this.settings.isPlatformHost(host(address)));
	}

	/** Owner of a mailbox of a return path's host; empty for any other address. */
	Mono<ReceivingDomain.Owner> ofReturnPath(String address) {
		String host = host(address);
		return (isMailbox(address) && host.startsWith(RETURN_PATHS))
				? this.mails.owner(host.substring(RETURN_PATHS.length())).flatMap((_) -> platform()) : Mono.empty();
	}

	/** The platform's account; an error during startup until its domain is created. */
	Mono<ReceivingDomain.Owner> platform() {
		return this.mails.owner(this.settings.domain())
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("The platform's domain is not created yet")));
	}

	/**
	 * Forwards mail to these mailboxes to the operator, once per mail. To avoid loops,
	 * notifications, spam and the platform's own mail are not forwarded. The operator is
	 * notified when the hourly limit is reached.
	 * @param recipients the mail's recipients whose owner is the platform
	 */
	Mono<Void> forward(IncomingMail mail, ParsedMessage message, CheckResult spam, List<String> recipients) {
		List<String> mailboxes = recipients.stream().filter(Postmaster::isMailbox).toList();
		String operator = this.settings.operatorEmail();
		if (mailboxes.isEmpty() || operator.isBlank() || mail.sender().isEmpty() || spam == CheckResult.FAIL
				|| isOwn(message) || count(ClientNetwork.text(mail.client())) > MAX_PER_CLIENT) {
			return Mono.empty();
		}
		int forwarded = count(ALL_CLIENTS);
		if (forwarded > MAX_PER_HOUR) {
			return (forwarded == MAX_PER_HOUR + 1) ? this.notices.limitReached(operator, Sha256.hex(mail.raw()))
					: Mono.empty();
		}
		return this.notices.forward(operator,
				new PostmasterNotices.Received(mail.sender(), mailboxes, message.heading().subject(), text(message)),
				Sha256.hex(mail.raw()));
	}

	private int count(String client) {
		return this.forwarded.get(client, (_) -> new AtomicInteger()).incrementAndGet();
	}

	/**
	 * Whether the platform wrote this mail; its Message-ID survives forwarding by others.
	 */
	private boolean isOwn(ParsedMessage message) {
		return Objects.requireNonNullElse(message.messageId(), "")
			.toLowerCase(Locale.ROOT)
			.endsWith("@" + this.settings.domain() + ">");
	}

	private static String text(ParsedMessage message) {
		return Objects.requireNonNullElseGet(message.text().text(),
				() -> Objects.requireNonNullElse(message.text().html(), ""));
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

	/**
	 * Names of the platform.
	 *
	 * @param platformDomain domain of the platform's own mail
	 * @param mxHost the server that receives inbound mail
	 * @param operatorEmail recipient of mail to the postmaster; empty for none
	 */
	@ConfigurationProperties("mailroom")
	record PostmasterSettings(@DefaultValue("mailroom.localhost") String platformDomain,
			@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("") String operatorEmail) {

		/** The platform's domain in lower case, as domains are stored. */
		String domain() {
			return this.platformDomain.toLowerCase(Locale.ROOT);
		}

		/** Whether a host in lower case is the platform's domain or its MX host. */
		boolean isPlatformHost(String host) {
			return Set.of(domain(), this.mxHost.toLowerCase(Locale.ROOT)).contains(host);
		}

	}

}
