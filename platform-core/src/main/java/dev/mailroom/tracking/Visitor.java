package dev.mailroom.tracking;

import java.net.InetAddress;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Who followed a link or loaded a picture.
 *
 * @param userAgent what the program calls itself; empty where it does not say
 * @param ahead whether it said that it only looks ahead, and nobody has seen it yet
 * @param address where it came from; null where that is not known
 */
public record Visitor(String userAgent, boolean ahead, @Nullable InetAddress address) {

	/** Who plays a recipient, and follows a link sooner than anybody could. */
	public static final Visitor PLAYED = new Visitor("Mozilla/5.0 (Mailroom sandbox)", false, null);

	private static final int LONGEST_NAME = 300;

	/**
	 * Mail proxies that load for their users whether they look or not, programs that
	 * check links before anybody sees them, previews of messengers, and tools that are no
	 * browser.
	 */
	private static final Pattern PROGRAM = Pattern
		.compile("googleimageproxy|yahoomailproxy|ymailproxy|bot\\b|bot/|crawl|spider|slurp|scan|preview|prefetch"
				+ "|headless|phantomjs|selenium|puppeteer|playwright|barracuda|proofpoint|mimecast|symantec|forcepoint"
				+ "|trendmicro|fortinet|checkpoint|cloudmark|urldefense|safelinks|virustotal|appengine-google"
				+ "|facebookexternalhit|whatsapp|slack-imgproxy|skypeuri|embedly|monitor|uptime|pingdom"
				+ "|^(curl|wget|python|java|go-http|okhttp|ruby|perl|libwww|axios|node|undici|apache-http|httpclient|got )",
				Pattern.CASE_INSENSITIVE);

	/** Apple's Mail Privacy Protection says no more of itself than this. */
	private static final String NAMELESS = "Mozilla/5.0";

	/** All of 17.0.0.0/8 is Apple's: its mail proxies, and none of its users. */
	private static final byte APPLE = 17;

	public Visitor {
		userAgent = userAgent.replaceAll("\\p{Cntrl}", " ").strip();
		userAgent = userAgent.substring(0, Math.min(LONGEST_NAME, userAgent.length()));
	}

	/** Whether it is a program rather than the person that the mail was for. */
	boolean isProgram() {
		return this.ahead || this.userAgent.isEmpty() || this.userAgent.equals(NAMELESS) || isApple()
				|| PROGRAM.matcher(this.userAgent).find();
	}

	private boolean isApple() {
		byte[] bytes = (this.address != null) ? this.address.getAddress() : new byte[0];
		return bytes.length == 4 && bytes[0] == APPLE;
	}

}
