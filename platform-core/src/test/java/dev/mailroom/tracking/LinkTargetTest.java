package dev.mailroom.tracking;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LinkTargetTest {

	@ParameterizedTest
	@CsvSource({ "https://a.test/b?c=d&e=f#g,https://a.test/b?c=d&e=f#g", "HTTP://A.test,HTTP://A.test",
			"'\t https://a.test/ \n',https://a.test/", "'https://a.test/\r\nx',https://a.test/x",
			"https://a.test/ü?é=%20 x,https://a.test/%C3%BC?%C3%A9=%20%20x",
			"https://bücher.test:81/,https://xn--bcher-kva.test:81/", "https://u:p@a.test/,https://u:p@a.test/",
			"https://a.test?x,https://a.test?x", "'https://a.test/{x}|\"<>',https://a.test/%7Bx%7D%7C%22%3C%3E",
			"https://[::1]:80/a[0],https://[::1]:80/a[0]", "https://a.test\\@b.test/c,https://a.test/@b.test/c",
			"https://a.test/b\\c?d\\e,https://a.test/b/c?d%5Ce", "https://a.test?\\@b.test,https://a.test?%5C@b.test" })
	void linksAreParsedAsBrowsersDo(String href, String url) {
		assertThat(LinkTarget.of(href)).map(LinkTarget::url).contains(url);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "#top", "/path", "//a.test/x", "mailto:a@b.test", "tel:+1", "javascript:alert(1)",
			"data:text/html,x", "ftp://a.test", "http:", "http://", "https:///x", "java\nscript:x", "https:a.test" })
	void onlyHttpAndHttpsUrlsAreTargets(String href) {
		assertThat(LinkTarget.of(href)).isEmpty();
	}

	@Test
	@Timeout(10)
	void aLongLinkOfBlanksIsParsedInLinearTime() {
		assertThat(LinkTarget.of("x" + " ".repeat(100_000) + "x")).isEmpty();
		assertThat(LinkTarget.of("https://a.test/" + "\n ".repeat(100_000) + "x")).isEmpty();
	}

	@Test
	void aHostThatIsNoDomainNameIsNotTracked() {
		for (int length : new int[] { 64, 300, 1001, 7000 }) {
			assertThat(LinkTarget.of("https://" + "ü".repeat(length) + ".test/")).isEmpty();
		}
		for (String character : new String[] { " ", "\u0001", "\u007f", "\u0085" }) {
			assertThat(LinkTarget.of("https://x" + character + ".test/")).as("in a header").isEmpty();
		}
	}

	@Test
	void equalTargetsHaveEqualIds() {
		assertThat(LinkTarget.of("https://a.test/x")).isEqualTo(LinkTarget.of(" https://a.test/x"));
		assertThat(LinkTarget.of("https://a.test/x")).isNotEqualTo(LinkTarget.of("https://a.test/y"));
		assertThat(LinkTarget.of("https://a.test/" + "x".repeat(9000))).as("longer than links may be").isEmpty();
	}

}
