package dev.mailroom.tracking;

import java.net.InetAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class VisitorTest {

	private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

	@ParameterizedTest
	@ValueSource(strings = { BROWSER,
			"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
			"Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
			"Mozilla/5.0 (Linux; Android 13; CUBOT) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
			"Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)",
			"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Thunderbird/140.0" })
	void browsersAndMailClientsAreNotAutomated(String agent) {
		assertThat(new Visitor(agent, false, null).actor()).isEqualTo(Visitor.Actor.PERSON);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "Mozilla/5.0", "curl/8.5", "Java-http-client/25", "python-requests/2.32",
			"Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
			"YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
			"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Slackbot-LinkExpanding 1.0",
			"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/116.0",
			"Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/142.0", "BarracudaCentral" })
	void proxiesCrawlersAndToolsAreAutomated(String agent) {
		assertThat(new Visitor(agent, false, null).actor()).isNotEqualTo(Visitor.Actor.PERSON);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Mozilla/5.0",
			"Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
			"YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html" })
	void mailProxiesAreDistinguishedFromOtherPrograms(String agent) {
		assertThat(new Visitor(agent, false, null).actor()).isEqualTo(Visitor.Actor.PROXY);
		assertThat(new Visitor(BROWSER, false, InetAddress.ofLiteral("17.58.1.2")).actor())
			.isEqualTo(Visitor.Actor.PROXY);
		assertThat(new Visitor("curl/8.5", false, null).actor()).isEqualTo(Visitor.Actor.PROGRAM);
		assertThat(new Visitor(BROWSER, true, null).actor()).isEqualTo(Visitor.Actor.PROGRAM);
		assertThat(new Visitor(BROWSER, false, null).actor()).isEqualTo(Visitor.Actor.PERSON);
	}

	@Test
	void prefetchesAndApplesProxiesAreAutomated() {
		assertThat(new Visitor(BROWSER, true, null).actor()).isNotEqualTo(Visitor.Actor.PERSON);
		assertThat(new Visitor(BROWSER, false, InetAddress.ofLiteral("17.58.1.2")).actor())
			.isNotEqualTo(Visitor.Actor.PERSON);
		assertThat(new Visitor(BROWSER, false, InetAddress.ofLiteral("18.58.1.2")).actor())
			.isEqualTo(Visitor.Actor.PERSON);
		assertThat(new Visitor(BROWSER, false, InetAddress.ofLiteral("::1")).actor()).isEqualTo(Visitor.Actor.PERSON);
	}

	@Test
	void theUserAgentIsShortenedAndCleaned() {
		assertThat(new Visitor("a\u0000b\r\n" + "x".repeat(500), false, null).userAgent()).hasSize(300)
			.startsWith("a b  x");
	}

}
