package dev.mailroom.tracking;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.mailroom.Parallel;
import dev.mailroom.Refused;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Language;
import dev.mailroom.brand.Letter;
import dev.mailroom.contact.Confirmations;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Senders;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.secret.SealedText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Sends the mails that ask contacts to confirm their subscription. They are ordinary mail
 * of the account: they count against its quota and come from its oldest verified domain.
 * A mail that is refused, for instance without quota, is repeated until its link would
 * have expired.
 */
@Service
public class ConfirmationMails {

	private static final Logger log = LoggerFactory.getLogger(ConfirmationMails.class);

	/** Mails of an account in one pass. */
	private static final int PER_ACCOUNT = 50;

	private static final int PARALLEL_MAILS = 16;

	/** Time after which a mail whose sending was interrupted is tried again. */
	private static final Duration LEASE = Duration.ofMinutes(5);

	private static final Duration REFUSED_DELAY = Duration.ofMinutes(15);

	/** Route under which the names of mails are claimed. */
	private static final String ROUTE = "confirmation mail";

	private final Confirmations confirmations;

	private final Senders senders;

	private final Submissions submissions;

	private final Links links;

	private final Brands brands;

	private final SealedText sealed;

	private final JdbcTransactions transactions;

	ConfirmationMails(Confirmations confirmations, Senders senders, Submissions submissions, Links links, Brands brands,
			SealedText sealed, JdbcTransactions transactions) {
		this.brands = brands;
		this.sealed = sealed;
		this.confirmations = confirmations;
		this.senders = senders;
		this.submissions = submissions;
		this.links = links;
		this.transactions = transactions;
	}

	/**
	 * Sends the mails that are due.
	 * @return the number of accepted mails
	 */
	public long send() {
		long accepted = 0;
		for (List<Confirmations.DueMail> due = take(); !due.isEmpty(); due = take()) {
			accepted += Parallel.map(due, PARALLEL_MAILS, this::send).stream().filter(Boolean::booleanValue).count();
		}
		return accepted;
	}

	private List<Confirmations.DueMail> take() {
		return this.transactions.acrossAccounts(
				(jdbc) -> this.confirmations.take(jdbc, PER_ACCOUNT, LEASE, TrackingToken.Confirmation.LIFETIME));
	}

	/**
	 * Whether the mail was accepted. If a crash separates the two writes, the mail's name
	 * keeps it from being sent twice.
	 */
	private boolean send(Confirmations.DueMail mail) {
		Claim claim = new Claim(mail.accountId(), ROUTE, mail.name(), "");
		try {
			this.senders.choose(mail.scope(), null)
				.flatMap((sender) -> this.brands.find(mail.scope())
					.flatMap((brand) -> this.submissions.send(Channel.PLATFORM, sender.scope(),
							submission(sender, brand, mail), claim)))
				.block();
			this.transactions.run(mail.scope(), (jdbc) -> this.confirmations.sent(jdbc, mail));
			return true;
		}
		catch (Refused refused) {
			postpone(mail, refused);
		}
		catch (RuntimeException ex) {
			log.warn("The confirmation mail to contact {} was not sent and will be retried: {}", mail.contactId(),
					ex.toString());
		}
		return false;
	}

	private void postpone(Confirmations.DueMail mail, Refused refused) {
		log.info("The confirmation mail to contact {} of account {} is postponed: {}", mail.contactId(),
				mail.accountId(), refused.getMessage());
		this.transactions.run(mail.scope(), (jdbc) -> this.confirmations.postpone(jdbc, mail, REFUSED_DELAY));
	}

	/**
	 * Not tracked, because an open or a click of this mail is no interest in the list.
	 * The account can name a book after a link of its own with the sealed token of an
	 * earlier mail, which must not be opened there.
	 */
	private Submission submission(Senders.Sender sender, Brand brand, Confirmations.DueMail mail) {
		String link = sealed(this.links.confirmationUrl(sender.linkHost(), mail.accountId(), mail.contactId()), mail);
		Language language = brand.language();
		Letter letter = new Letter(language.text("mail.subject", mail.book()),
				List.of(language.text("mail.text", mail.book()), language.text("mail.steps")),
				new Letter.Button(language.text("mail.button"), link), List.of(language.text("mail.otherwise")));
		@Nullable String logo = (brand.logo() != null) ? this.links.logoUrl(mail.accountId(), brand.logo()) : null;
		MailContent content = new MailContent(letter.title(), letter.html(brand, logo), letter.text(brand), List.of(),
				Map.of(), Map.of("Auto-Submitted", "auto-generated"), false, false);
		String from = brand.name().isEmpty() ? sender.from() : brand.name() + " <" + sender.from() + ">";
		return Submission.of(from, List.of(mail.email()), content);
	}

	/**
	 * A link without its token, which is inserted when the mail is sent: the account can
	 * read its mails, and must not confirm in place of the person.
	 */
	private String sealed(String link, Confirmations.DueMail mail) {
		int token = link.lastIndexOf('/') + 1;
		return link.substring(0, token) + this.sealed.seal(link.substring(token), mail.accountId(), mail.email());
	}

}
