package dev.mailroom.upkeep;

import java.time.temporal.ChronoUnit;

import dev.mailroom.account.NoticeKind;
import dev.mailroom.brand.Letter;
import dev.mailroom.domain.DomainWatch;
import dev.mailroom.domain.LostRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Notifies members whose domains lost their DNS records: once at the beginning of the
 * grace period, and once at its end.
 */
@Service
public class DomainNotices {

	private static final Logger log = LoggerFactory.getLogger(DomainNotices.class);

	private static final String GRACE = """
			DNS records that mail from %1$s needs have been missing since %2$s:

			%4$s

			Mail from %1$s is still sent until %3$s. After that it is refused as "Domain not verified" \
			until the records are back. Restore the records; they are checked every hour.
			""";

	private static final String FAILED = """
			DNS records that mail from %1$s needs have been missing since %2$s, and the grace period ended on %3$s:

			%4$s

			Mail from %1$s is refused as "Domain not verified" from now on. It is accepted again as soon as the records \
			are back: they are checked every hour, and at once by POST /domains/:id/verify.
			""";

	private final DomainWatch watch;

	private final MemberNotices notices;

	DomainNotices(DomainWatch watch, MemberNotices notices) {
		this.watch = watch;
		this.notices = notices;
	}

	/**
	 * Sends the notices that are due.
	 * @return their number
	 */
	public long send() {
		return this.watch.losses().stream().filter(this::send).count();
	}

	/**
	 * Whether the notice was sent. If a crash separates the two writes, the mail's name
	 * keeps it from being sent twice.
	 */
	private boolean send(LostRecords loss) {
		String name = "domain %s %s %s".formatted(loss.id(), loss.notice(), loss.since());
		try {
			this.notices.send(loss.accountId(), NoticeKind.DOMAIN_LOST, name, Letter.of(subject(loss), text(loss)),
					"/domains/" + loss.id());
			this.watch.noticeSent(loss);
			return true;
		}
		catch (RuntimeException ex) {
			log.warn("The notice of domain {} was not sent and will be retried: {}", loss.id(), ex.toString());
			return false;
		}
	}

	private static String subject(LostRecords loss) {
		return isGraceOver(loss) ? "Mail from " + loss.name() + " is no longer sent"
				: "The DNS records of " + loss.name() + " are missing";
	}

	private static String text(LostRecords loss) {
		return (isGraceOver(loss) ? FAILED : GRACE).formatted(loss.name(), loss.since().truncatedTo(ChronoUnit.SECONDS),
				loss.until().truncatedTo(ChronoUnit.SECONDS), loss.lost());
	}

	private static boolean isGraceOver(LostRecords loss) {
		return loss.notice().equals("failed");
	}

}
