package dev.mailroom.tracking;

import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.mail.queue.EmailRows;
import org.jspecify.annotations.Nullable;

/**
 * Client that followed a link or loaded an image.
 *
 * @param userAgent the User-Agent header; empty if there is none
 * @param prefetch whether the request is marked as a prefetch or preview
 * @param address the client's address; null if it is unknown
 */
public record Visitor(String userAgent, boolean prefetch, @Nullable InetAddress address) {

	/** A recipient of the sandbox, whose clicks count even right after the delivery. */
	public static final Visitor SANDBOX = new Visitor("Mozilla/5.0 (Mailroom sandbox)", false, null);

	private static final int MAX_USER_AGENT = 300;

	/**
	 * Mail proxies of Gmail and Yahoo, which load the images when a person opens the mail
	 * and then keep them.
	 */
	private static final Pattern READER_PROXY = Pattern.compile("googleimageproxy|yahoomailproxy|ymailproxy",
			Pattern.CASE_INSENSITIVE);

	/**
	 * Link checkers, previews of messengers, and clients other than browsers. Cubot makes
	 * phones.
	 */
	private static final Pattern PROGRAM = Pattern.compile(
			"\\bbot\\b|(?<!cu)bot[/;)-]|(?<!cu)bot$|crawl|spider|slurp|scan|preview|prefetch|headless|phantomjs|selenium"
					+ "|puppeteer|playwright|barracuda|proofpoint|mimecast|symantec|forcepoint|trendmicro"
					+ "|fortinet|checkpoint|cloudmark|urldefense|safelinks|virustotal|appengine-google|facebookexternalhit"
					+ "|whatsapp|slack-imgproxy|skypeuri|embedly|monitor|uptime|pingdom"
					+ "|^(curl|wget|python|java|go-http|okhttp|ruby|perl|libwww|axios|node|undici|apache-http|httpclient|got )",
			Pattern.CASE_INSENSITIVE);

	/** The User-Agent of Apple's Mail Privacy Protection. */
	private static final String APPLE_PROXY = "Mozilla/5.0";

	/** The network 17.0.0.0/8 belongs to Apple: its mail proxies, but no users. */
	private static final byte APPLE_NETWORK = 17;

	public Visitor {
		userAgent = userAgent.replaceAll("\\p{Cntrl}", " ").strip();
		userAgent = userAgent.substring(0, Math.min(MAX_USER_AGENT, userAgent.length()));
	}

	/** The kind of client, by its User-Agent header and its address. */
	public Actor actor() {
		if (this.userAgent.equals(APPLE_PROXY) || isApple() || isReaderProxy()) {
			return Actor.PROXY;
		}
		return (this.prefetch || this.userAgent.isEmpty() || PROGRAM.matcher(this.userAgent).find()) ? Actor.PROGRAM
				: Actor.PERSON;
	}

	/**
	 * Whether an open is attributed to a person. Of the proxies of Gmail and Yahoo the
	 * first load counts; Apple's loads images whether or not a person reads the mail.
	 */
	EmailRows.Counts opens() {
		if (isReaderProxy()) {
			return EmailRows.Counts.FIRST;
		}
		return (actor() == Actor.PERSON) ? EmailRows.Counts.ALWAYS : EmailRows.Counts.NEVER;
	}

	/** Whether a click is attributed to a person. */
	EmailRows.Counts clicks() {
		if (actor() != Actor.PERSON) {
			return EmailRows.Counts.NEVER;
		}
		return equals(SANDBOX) ? EmailRows.Counts.ALWAYS : EmailRows.Counts.LATE;
	}

	private boolean isReaderProxy() {
		return READER_PROXY.matcher(this.userAgent).find();
	}

	private boolean isApple() {
		byte[] bytes = (this.address != null) ? this.address.getAddress() : new byte[0];
		return bytes.length == 4 && bytes[0] == APPLE_NETWORK;
	}

	/** Kinds of clients. */
	public enum Actor {

		/** A person with a browser or a mail client. */
		PERSON,
		/** A mail proxy, which loads images for people. */
		PROXY,
		/** Any other program. */
		PROGRAM;

		/** The value of the meters' label. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
