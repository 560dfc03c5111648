package dev.mailroom.domain;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.EmailAddress;
import dev.mailroom.Mutations;
import dev.mailroom.Refused;
import dev.mailroom.tracking.LinkTarget;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of names of domains, and of links to them. */
class DomainNameFuzzTest {

	@FuzzTest(maxDuration = "10m")
	void names(byte[] input) {
		checkName(input);
	}

	@Test
	void mutatedNames() {
		Mutations.check(getClass(), "names", 3000, DomainNameFuzzTest::checkName);
	}

	/** An accepted name fits into DNS records and addresses and parses to the same. */
	private static void checkName(byte[] input) {
		String text = new String(input, StandardCharsets.UTF_8);
		checkTarget(text);
		checkTarget("https://" + text + "/?a=b");
		DomainName name;
		try {
			name = DomainName.parse(text);
		}
		catch (Refused refused) {
			assertThat(refused.refusal().error()).isEqualTo("Invalid request data");
			return;
		}
		assertThat(name.text()).hasSizeLessThanOrEqualTo(200).matches("([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9-]+");
		assertThat(DomainName.parse(name.text())).isEqualTo(name);
		assertThat(EmailAddress.parse("a@" + name.text()).map(EmailAddress::domain)).contains(name.text());
	}

	/** A target fits into a header and leads to the same target again. */
	private static void checkTarget(String href) {
		LinkTarget.of(href).ifPresent((target) -> {
			assertThat(target.url()).matches("(?i)https?://[!-~]+");
			assertThat(LinkTarget.of(target.url())).as(href).contains(target);
		});
	}

}
