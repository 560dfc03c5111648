package dev.mailroom.webhook;

import dev.mailroom.Refused;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WebhookUrlTest {

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com", "HTTPS://Example.com:8443/a/b?c=d", "https://8.8.8.8/hooks",
			"https://[2606:4700::1111]/", "https://xn--mnchen-3ya.de/" })
	void aPublicUrlIsAcceptedUnchanged(String url) {
		assertThat(WebhookUrl.read(" " + url + " ", false)).isEqualTo(url);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "example.com", "/hooks", "//example.com/", "https:example.com", "https://",
			"https:///x", "mailto:a@example.com", "ftp://example.com/", "http://example.com/", "javascript:alert(1)",
			"https://a b.com/", "https://user:secret@example.com/", "https://@example.com/",
			"https://example.com/#part", "https://example.com:0/", "https://example.com:70000/",
			"https://intranet/hooks", "https://localhost/", "https://a.localhost/", "https://127.0.0.1/",
			"http://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/",
			"https://10.1.2.3/", "https://172.31.255.255/", "https://192.168.0.1/", "https://169.254.169.254/latest",
			"https://100.64.0.1/", "https://0.0.0.0/", "https://224.0.0.1/", "https://255.255.255.255/",
			"https://203.0.113.9/", "https://[::1]/", "https://[::]/", "https://[::ffff:10.0.0.1]/",
			"https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fc00::1]/", "https://[64:ff9b::7f00:1]/",
			"https://[2002:7f00:1::]/", "https://[2001::1]/", "https://[2001:db8::1]/", "https://[ff02::1]/" })
	void anyOtherUrlIsRefused(String url) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> WebhookUrl.read(url, false))
			.satisfies((refused) -> assertThat(refused.details().getFirst().field()).isEqualTo("url"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost:9000/x", "https://localhost/", "http://127.0.0.1:9000/",
			"http://[::1]:9000/", "http://hooks.localhost/" })
	void loopbackIsAcceptedIfTheSettingPermitsIt(String url) {
		assertThat(WebhookUrl.read(url, true)).isEqualTo(url);
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://example.com/", "https://10.0.0.1/", "http://10.0.0.1/", "ftp://localhost/" })
	void theSettingPermitsOnlyLoopback(String url) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> WebhookUrl.read(url, true));
	}

	@ParameterizedTest
	@ValueSource(ints = { 2048, 2049 })
	void aUrlHasAtMost2048Characters(int length) {
		String url = "https://example.com/".concat("x".repeat(length - 20));
		if (length > 2048) {
			assertThatExceptionOfType(Refused.class).isThrownBy(() -> WebhookUrl.read(url, false));
		}
		else {
			assertThat(WebhookUrl.read(url, false)).hasSize(length);
		}
	}

}
