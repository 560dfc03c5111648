package dev.mailroom.upkeep;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.NoticeChoices;
import dev.mailroom.account.NoticeKind;
import dev.mailroom.brand.Letter;

import org.springframework.stereotype.Service;

/** Mails the members of an account about its events, as they have chosen. */
@Service
class MemberNotices {

	private final PlatformMail mail;

	private final NoticeChoices choices;

	private final AccountMails.Settings settings;

	MemberNotices(PlatformMail mail, NoticeChoices choices, AccountMails.Settings settings) {
		this.mail = mail;
		this.choices = choices;
		this.settings = settings;
	}

	/**
	 * Mails the members who are told of such events, each at most once in 24 hours for
	 * the same occasion. Completes when the mails are accepted.
	 * @param occasion identifies what happened, with at most 200 characters
	 * @param page path of the page of the web app that shows more
	 */
	void send(UUID account, NoticeKind kind, String occasion, Letter letter, String page) {
		List<String> after = new ArrayList<>(letter.after());
		after.add("You get this mail as a member of the account. Choose of which events you are told: "
				+ this.settings.appUrl() + "/settings/notifications");
		Letter complete = new Letter(letter.title(), letter.before(),
				new Letter.Button("Open in Mailroom", this.settings.appUrl() + page), after);
		for (NoticeChoices.Recipient recipient : this.choices.recipients(Scope.of(account), kind)) {
			this.mail.sendOnceAndWait(occasion + " " + recipient.person(), recipient.email(), complete);
		}
	}

}
