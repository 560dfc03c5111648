package dev.mailroom.mail.accept;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.MovedAccounts;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.EmailRefusals;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an account may send, in the contract's order: the account's address, the
 * account's pause, the domain, the sender.
 */
public final class SendPolicy {

	private SendPolicy() {
	}

	/** The refusal of a whole request; null if it may be sent. */
	static @Nullable Refused checkRequest(@Nullable SenderStatus status) {
		@Nullable Refused refused = (status != null) ? checkAccount(status.verified(), status.pausedReason()) : null;
		if (refused == null && (status == null || !(status.mayUseDomain() || status.isByName()))) {
			return domainNotVerified(status);
		}
		return refused;
	}

	private static Refused domainNotVerified(@Nullable SenderStatus status) {
		return EmailRefusals.DOMAIN_NOT_VERIFIED.because(
				((status != null) ? lostRecords(status) : "") + "The domain's DNS records are not verified: see GET "
						+ "/domains/:id for what was expected and found, then POST /domains/:id/verify");
	}

	/**
	 * Records that a domain lost after it was verified, at the beginning of the message.
	 */
	private static String lostRecords(SenderStatus status) {
		return (status.lost() != null) ? status.domain() + " lost its records. " + status.lost() + ". " : "";
	}

	/** The refusal of an account that may not send at all; null if it may. */
	public static @Nullable Refused checkAccount(boolean verified, @Nullable String pausedReason) {
		if (!verified) {
			return EmailRefusals.EMAIL_NOT_VERIFIED
				.because("Verify the account's e-mail address first: the link was mailed at registration, and POST "
						+ "/auth/verify-email/resend mails another");
		}
		@Nullable Refused moved = MovedAccounts.refusal(pausedReason);
		if (moved != null) {
			return moved;
		}
		return (pausedReason != null)
				? EmailRefusals.PAUSED.because("Sending is paused for this account: " + pausedReason) : null;
	}

	/**
	 * Checks a mail of a request that may be sent as a whole.
	 * @param status the status of the mail's sender
	 */
	static MailCheck checkMail(MailCheck.Valid mail, SenderStatus status) {
		CheckedMail checked = mail.mail();
		if (!checked.isFrom(status.domain())) {
			return new MailCheck.Invalid(EmailRefusals.FROM_MISMATCH.because(
					"This key sends from " + (status.isByName() ? "verified domains of the account" : status.domain())
							+ " only, and from is " + checked.from()));
		}
		if (!status.mayUseDomain()) {
			return new MailCheck.Invalid(domainNotVerified(status));
		}
		return new MailCheck.Valid(
				checked.with(checked.content().withDefaultTracking(status.openTracking(), status.clickTracking())),
				mail.uploaded());
	}

	/**
	 * Current state of an account and of the domain that it sends from.
	 *
	 * @param domainId the domain; null if it was looked up by name and the account has
	 * none of that name
	 * @param verified whether the account's own address is verified
	 * @param pausedReason the reason for which sending is paused; null if it is not
	 * @param domain the domain's name; null if the account has no such domain
	 * @param status the domain's status
	 * @param lost the DNS records that a failed domain lacks
	 * @param openTracking the domain's default; null without a domain
	 * @param clickTracking the domain's default; null without a domain
	 * @param name the name by which the domain was looked up; null if by its id
	 * @param transport the transport chosen for the domain or the account; null for the
	 * platform's
	 * @param requiresTls whether mail of the domain must not be sent unencrypted
	 * @param linkHost the tracking domain of the domain; null for the shared name
	 */
	record SenderStatus(UUID accountId, @Nullable UUID domainId, boolean verified, @Nullable String pausedReason,
			@Nullable String domain, @Nullable String status, @Nullable String lost, @Nullable Boolean openTracking,
			@Nullable Boolean clickTracking, @Nullable String name, @Nullable TransportKind transport,
			boolean requiresTls, @Nullable String linkHost) {

		/** The route of a mail to a domain. */
		Route route(String domain) {
			return new Route(this.accountId, domain, this.transport, this.requiresTls);
		}

		/** A domain whose records cannot be looked up at present stays usable. */
		boolean mayUseDomain() {
			return "verified".equals(this.status) || "temporary_failure".equals(this.status);
		}

		/** Whether each mail of the request has its own domain. */
		boolean isByName() {
			return this.name != null;
		}

		Sender sender() {
			return (this.name != null) ? new Sender(this.accountId, null, this.name)
					: new Sender(this.accountId, this.domainId, null);
		}

	}

	/**
	 * An account and the domain that it sends from.
	 *
	 * @param domainId the domain of the request's key; null for the key of an account
	 * @param name the domain of the mail's sender, for the key of an account; null for
	 * the key of a domain
	 */
	record Sender(UUID accountId, @Nullable UUID domainId, @Nullable String name) {

		/** The sender of a mail; of a request if there is none. */
		static Sender of(Scope scope, @Nullable CheckedMail mail) {
			if (scope.domain() != null) {
				return new Sender(scope.account(), scope.domain(), null);
			}
			return new Sender(scope.account(), null, (mail != null) ? mail.from().address().domain() : "");
		}

	}

	/** The senders of a group, and those of its recipients that are suppressed. */
	record Lookup(Map<Sender, SenderStatus> senders, Set<SuppressionKey> suppressed) {

		Lookup() {
			this(new HashMap<>(), new HashSet<>());
		}

		boolean add(Readable row) {
			UUID account = Objects.requireNonNull(row.get(0, UUID.class));
			@Nullable String address = row.get(1, String.class);
			if (address != null) {
				return this.suppressed.add(new SuppressionKey(account, address));
			}
			SenderStatus status = new SenderStatus(account, row.get(2, UUID.class),
					Boolean.TRUE.equals(row.get(3, Boolean.class)), row.get(4, String.class), row.get(5, String.class),
					row.get(6, String.class), row.get(7, String.class), row.get(8, Boolean.class),
					row.get(9, Boolean.class), row.get(10, String.class), TransportKind.of(row.get(11, String.class)),
					Boolean.TRUE.equals(row.get(12, Boolean.class)), row.get(13, String.class));
			return this.senders.put(status.sender(), status) == null;
		}

	}

	/**
	 * Identifies an entry of a suppression list: an account and a recipient's address.
	 *
	 * @param address in lower case
	 */
	public record SuppressionKey(UUID accountId, String address) {

		public SuppressionKey {
			if (!address.equals(address.toLowerCase(Locale.ROOT))) {
				throw new IllegalArgumentException("A suppressed address is in lower case");
			}
		}

	}

}
