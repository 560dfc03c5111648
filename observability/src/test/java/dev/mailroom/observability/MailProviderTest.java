package dev.mailroom.observability;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class MailProviderTest {

	@ParameterizedTest
	@CsvSource({ "gmail-smtp-in.l.google.com, gmail", "example-org.mail.protection.outlook.com, microsoft",
			"mta5.am0.yahoodns.net, yahoo", "MX01.mail.icloud.com, apple", "mx00.gmx.net, gmx",
			"mxa-0012.gslb.pphosted.com, proofpoint", "mail.example.org, other", "notgoogle.com, other", "'', other" })
	void aProviderIsFoundByItsMxHost(String host, String provider) {
		assertThat(MailProvider.of(host).label()).isEqualTo(provider);
	}

	@Test
	void thereAreAtMostSixteenProviders() {
		assertThat(MailProvider.values()).hasSizeLessThanOrEqualTo(16);
	}

}
