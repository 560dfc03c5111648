package dev.mailroom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClientDeviceTest {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0                                                                               | Firefox on Linux
					Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0                         | Edge on Windows
					Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36                                       | Chrome on Windows
					Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15                                 | Safari on macOS
					Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1            | Chrome on iPhone
					Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36                      | Samsung Internet on Android
					curl/8.5.0                                                                                                                                            | curl
					python-requests/2.32.3                                                                                                                                | python-requests
					Mozilla/5.0 (X11; Linux x86_64)                                                                                                                       | Linux
					""")
	void theProgramAndItsSystemAreNamed(String userAgent, String device) {
		assertThat(ClientDevice.name(userAgent)).isEqualTo(device);
	}

	@Test
	void onlyKnownNamesAndShortProductsAreShown() {
		assertThat(ClientDevice.name("")).isEmpty();
		assertThat(ClientDevice.name("Mozilla/5.0")).isEmpty();
		assertThat(ClientDevice.name("<script>alert(1)</script>")).isEmpty();
		assertThat(ClientDevice.name("x".repeat(41) + "/1")).isEmpty();
		assertThat(ClientDevice.name("a\r\nb\u2028/1")).isEmpty();
		assertThat(ClientDevice.name("p".repeat(40) + "/1 (" + "z".repeat(100_000) + " Linux)"))
			.isEqualTo("p".repeat(40));
	}

	@Test
	void aRequestWithoutUserAgentHasNoDevice() {
		assertThat(ClientDevice.current().block()).isEmpty();
		assertThat(ClientDevice.current().contextWrite(ClientDevice.context(null)).block()).isEmpty();
		assertThat(ClientDevice.current().contextWrite(ClientDevice.context("curl/8.5.0")).block()).isEqualTo("curl");
	}

}
