package dev.mailroom.observability;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Operators of mail servers, found by the name of the MX host. The set is closed: the
 * number of time series does not depend on the recipients.
 */
public enum MailProvider {

	/** Gmail and Google Workspace. */
	GMAIL("google.com", "googlemail.com"),
	/** Outlook.com and Microsoft 365. */
	MICROSOFT("outlook.com", "hotmail.com", "mx.microsoft"),
	/** Yahoo and AOL. */
	YAHOO("yahoodns.net"),
	/** iCloud Mail. */
	APPLE("icloud.com", "apple.com"),
	/** GMX, Web.de, mail.com and IONOS. */
	GMX("gmx.net", "web.de", "kundenserver.de", "mail.com"),
	/** Deutsche Telekom. */
	TELEKOM("t-online.de"),
	/** Orange. */
	ORANGE("orange.fr"),
	/** Comcast. */
	COMCAST("comcast.net"),
	/** Proton Mail. */
	PROTON("protonmail.ch"),
	/** Fastmail. */
	FASTMAIL("messagingengine.com"),
	/** Zoho Mail. */
	ZOHO("zoho.com", "zoho.eu"),
	/** Yandex. */
	YANDEX("yandex.ru", "yandex.net"),
	/** VK, formerly Mail.ru. */
	MAILRU("mail.ru"),
	/** Filters of Proofpoint. */
	PROOFPOINT("pphosted.com", "ppe-hosted.com"),
	/** Filters of Mimecast. */
	MIMECAST("mimecast.com"),
	/** All others, and relays. */
	OTHER;

	private final List<String> domains;

	MailProvider(String... domains) {
		this.domains = List.of(domains);
	}

	/** The operator of a mail server. */
	public static MailProvider of(String host) {
		String name = host.toLowerCase(Locale.ROOT);
		return Stream.of(values())
			.filter((provider) -> provider.domains.stream()
				.anyMatch((domain) -> name.equals(domain) || name.endsWith("." + domain)))
			.findFirst()
			.orElse(OTHER);
	}

	/** The value of the label. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
