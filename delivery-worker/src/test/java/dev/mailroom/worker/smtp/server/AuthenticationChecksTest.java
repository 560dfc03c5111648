package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.worker.Surroundings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** SPF, DKIM and DMARC. */
@Surroundings.WorkerAlone
class AuthenticationChecksTest {

	/** Example of RFC 8463 appendix A, signed with both algorithms. */
	private static final String ED25519 = """
			DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
			 d=football.example.com; i=@football.example.com;
			 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
			 subject : date : message-id : from : subject : date;
			 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
			 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
			 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
			""";

	private static final String RSA = """
			DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
			 d=football.example.com; i=@football.example.com;
			 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
			 date : message-id : from : subject : date;
			 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
			 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
			 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
			 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
			""";

	private static final String DINNER = """
			From: Joe SixPack <joe@football.example.com>
			To: Suzie Q <suzie@shopping.example.net>
			Subject: Is dinner ready?
			Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
			Message-ID: <20030712040037.46341.5F8J@football.example.com>

			Hi.

			We lost the game.  Are you hungry yet?

			Joe.
			""";

	@Autowired
	Spf spf;

	@Autowired
	DkimCheck dkim;

	@Autowired
	Dmarc dmarc;

	@Autowired
	InboundChecks checks;

	@ParameterizedTest
	@CsvSource({ "'v=spf1 ip4:192.0.2.1 -all', PASS", "'v=spf1 ip4:192.0.2.9 -all', FAIL", "v=spf1 ~all, GRAY",
			"v=spf1 ?all, GRAY", "v=spf1, GRAY", "v=spf1 include:other.spf.test -all, PASS",
			"v=spf1 redirect=other.spf.test, PASS", "v=spf1 nonsense -all, GRAY", "something else, GRAY",
			"v=spf1 include:self.spf.test -all, GRAY", "v=spf1 mx -all, FAIL", "v=spf1 exists:%{i}.x.test -all, FAIL" })
	void spfEvaluatesTheSendersPolicy(String record, CheckResult result) {
		Surroundings.DNS.publish("TXT", "other.spf.test", "v=spf1 ip4:192.0.2.0/24 -all");
		Surroundings.DNS.publish("TXT", "self.spf.test", record);
		assertThat(this.spf.check(mail("x@self.spf.test", "x")).check()).isEqualTo(result);
	}

	@Test
	void spfOfAnEmptyReturnPathUsesTheNameOfHelo() {
		Surroundings.DNS.publish("TXT", "helo.spf.test", "v=spf1 ip4:192.0.2.1 -all");
		assertThat(this.spf.check(mail("", "x"))).isEqualTo(new Spf.Result(CheckResult.PASS, "helo.spf.test", false));
		assertThat(this.spf.check(mail("x@nothing.spf.test", "x")).check()).isEqualTo(CheckResult.GRAY);
		Surroundings.DNS.fail("broken.spf.test");
		assertThat(this.spf.check(mail("x@broken.spf.test", "x")).check()).isEqualTo(CheckResult.GRAY);
	}

	/** RFC 7208 section 4.6.4 limits the names of MX and PTR, not addresses. */
	@Test
	void spfReadsAllAddressesOfAName() throws Exception {
		List<String> addresses = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			addresses.add("198.51.100." + i);
		}
		addresses.add("192.0.2.1");
		Surroundings.DNS.publish("A", "pool.spf.test", addresses.toArray(String[]::new));
		Surroundings.DNS.publish("TXT", "many.spf.test", "v=spf1 a:pool.spf.test -all");
		assertThat(this.spf.check(mail("x@many.spf.test", "x")).check()).isEqualTo(CheckResult.PASS);
	}

	@Test
	void signaturesOfBothAlgorithmsAreValidUntilTheMailIsModified() throws Exception {
		publishKeys();
		for (String signature : List.of(ED25519, RSA, ED25519 + RSA)) {
			DkimCheck.Result valid = dkim(signature + DINNER);
			assertThat(valid.check()).as(signature).isEqualTo(CheckResult.PASS);
			assertThat(valid.domains()).containsOnly("football.example.com");
			assertThat(dkim(signature + DINNER.replace("dinner", "lunch")).check()).isEqualTo(CheckResult.FAIL);
			assertThat(dkim(signature + DINNER.replace("lost", "won")).check()).isEqualTo(CheckResult.FAIL);
			assertThat(dkim(signature + "Subject: Another\n" + DINNER).check()).isEqualTo(CheckResult.FAIL);
		}
		assertThat(dkim(ED25519.replace("b=/g", "b=/h") + RSA + DINNER).check()).isEqualTo(CheckResult.PASS);
		assertThat(dkim(ED25519 + RSA + DINNER.replace("lost", "won")).domains()).isEmpty();
		assertThat(dkim(RSA.replace("football.example.com", "loop.test") + RSA + DINNER).domains())
			.as("a forged signature beside an own one")
			.containsExactly("football.example.com");
		assertThat(dkim(DINNER).check()).isEqualTo(CheckResult.GRAY);
		assertThat(dkim("DKIM-Signature: nonsense\n" + DINNER).check()).isEqualTo(CheckResult.FAIL);
	}

	@Test
	void aMissingKeyFailsAndAKeyThatCannotBeFetchedIsUndecided() throws Exception {
		publishKeys();
		assertThat(dkim(RSA.replace("s=test", "s=gone") + DINNER).check()).isEqualTo(CheckResult.FAIL);
		assertThat(dkim(RSA.replace("c=relaxed", "l=5; c=relaxed") + DINNER).check()).isEqualTo(CheckResult.FAIL);
		Surroundings.DNS.fail("down._domainkey.football.example.com");
		assertThat(dkim(RSA.replace("s=test", "s=down") + DINNER).check()).isEqualTo(CheckResult.GRAY);
	}

	@Test
	void aSignatureOfAPartOfTheBodyIsRefused() {
		DkimCheck.Signatures signatures = new DkimCheck.Signatures((_, _, _) -> List.of());
		String signature = "v=1; a=rsa-sha256; d=x.test; s=s; h=from; bh=YQ==; b=YQ==";
		assertThat(signatures.newSignatureRecord(signature).getDToken()).hasToString("x.test");
		assertThatIllegalStateException().isThrownBy(() -> signatures.newSignatureRecord(signature + "; l=1"))
			.withMessageContaining("a part of the body");
	}

	@Test
	void unreachableNameServersOfManySendersDoNotDelayTheChecksOfOthers() {
		Surroundings.DNS.publish("TXT", "fast.spf.test", "v=spf1 ip4:192.0.2.1 -all");
		AtomicInteger ended = new AtomicInteger();
		List<Disposable> waiting = IntStream.range(0, 64).mapToObj((i) -> {
			Surroundings.DNS.silence(i + ".silent.test");
			return this.checks.senders(mail("x@" + i + ".silent.test", "x"), "")
				.subscribe((_) -> ended.incrementAndGet());
		}).toList();
		assertThat(Await.await(this.checks.senders(mail("x@fast.spf.test", "x"), ""))).contains("fast.spf.test");
		assertThat(ended).hasValue(0);
		waiting.forEach(Disposable::dispose);
	}

	@Test
	void dmarcRequiresAlignmentOfTheAuthorWithSpfOrDkim() {
		Surroundings.DNS.publish("TXT", "_dmarc.dmarc.test", "v=DMARC1; p=reject");
		Surroundings.DNS.publish("TXT", "_dmarc.strict.test", "v=DMARC1; p=none; adkim=s; aspf = s");
		Surroundings.DNS.publish("TXT", "_dmarc.two.test", "v=DMARC1; p=none", "v=DMARC1; p=reject");
		Surroundings.DNS.publish("TXT", "_dmarc.company.co.uk", "v=DMARC1;p=none");
		Surroundings.DNS.fail("_dmarc.down.test");
		assertThat(dmarc("dmarc.test", "mail.dmarc.test", "other.test")).isEqualTo(CheckResult.PASS);
		assertThat(dmarc("ü".repeat(1001) + ".test", "dmarc.test", "dmarc.test")).isNotEqualTo(CheckResult.PASS);
		assertThat(dmarc("dmarc.test", "ü".repeat(1001) + ".test", "other.test")).isEqualTo(CheckResult.FAIL);
		assertThat(dmarc("dmarc.test", "other.test", "dmarc.test")).isEqualTo(CheckResult.PASS);
		assertThat(dmarc("dmarc.test", "other.test", "notdmarc.test")).isEqualTo(CheckResult.FAIL);
		assertThat(dmarc("a.dmarc.test", "b.dmarc.test", "other.test")).isEqualTo(CheckResult.PASS);
		assertThat(dmarc("strict.test", "mail.strict.test", "mail.strict.test")).isEqualTo(CheckResult.FAIL);
		assertThat(dmarc("strict.test", "mail.strict.test", "strict.test")).isEqualTo(CheckResult.PASS);
		assertThat(dmarc("x.company.co.uk", "y.company.co.uk", "other.test")).isEqualTo(CheckResult.PASS);
		assertThat(dmarc("x.company.co.uk", "other.co.uk", "else.co.uk")).isEqualTo(CheckResult.FAIL);
		assertThat(dmarc("two.test", "two.test", "two.test")).isEqualTo(CheckResult.GRAY);
		assertThat(dmarc("none.test", "none.test", "none.test")).isEqualTo(CheckResult.GRAY);
		assertThat(dmarc("down.test", "down.test", "down.test")).isEqualTo(CheckResult.GRAY);
		Spf.Result unaligned = new Spf.Result(CheckResult.GRAY, "dmarc.test", false);
		assertThat(this.dmarc.check(List.of("dmarc.test"), unaligned, DkimCheck.Result.BROKEN))
			.isEqualTo(CheckResult.PROCESSING_FAILED);
		assertThat(this.dmarc.check(List.of("dmarc.test", "other.test"), unaligned, DkimCheck.Result.BROKEN))
			.isEqualTo(CheckResult.FAIL);
		assertThat(this.dmarc.check(List.of(), unaligned, DkimCheck.Result.BROKEN)).isEqualTo(CheckResult.FAIL);
	}

	@Test
	void dmarcIsUndecidedAfterATemporaryDnsError() throws Exception {
		Surroundings.DNS.publish("TXT", "_dmarc.waiting.test", "v=DMARC1; p=reject");
		Surroundings.DNS.fail("waiting.test");
		Surroundings.DNS.fail("down._domainkey.football.example.com");
		Spf.Result spf = this.spf.check(mail("x@waiting.test", "x"));
		DkimCheck.Result dkim = dkim(RSA.replace("s=test", "s=down") + DINNER);
		Spf.Result noSpf = new Spf.Result(CheckResult.FAIL, "other.test", false);
		DkimCheck.Result noDkim = new DkimCheck.Result(CheckResult.FAIL, List.of(), false);
		assertThat(this.dmarc.check(List.of("waiting.test"), spf, noDkim)).isEqualTo(CheckResult.GRAY);
		assertThat(this.dmarc.check(List.of("waiting.test"), noSpf, dkim)).isEqualTo(CheckResult.GRAY);
		assertThat(this.dmarc.check(List.of("waiting.test"), noSpf, noDkim)).isEqualTo(CheckResult.FAIL);
	}

	@Test
	void aHeaderWithVeryManyFieldsIsNotEvaluated() throws Exception {
		publishKeys();
		String signature = RSA.replace("h=from", "h=from" + ":a".repeat(50_000));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> dkim(signature + "a: b\n".repeat(200_000) + DINNER));
		assertThat(dkim(signature + "a: b\n".repeat(900) + DINNER).check()).isNotEqualTo(CheckResult.PASS);
	}

	private CheckResult dmarc(String author, String bySpf, String byDkim) {
		return this.dmarc.check(List.of(author), new Spf.Result(CheckResult.PASS, bySpf, false),
				new DkimCheck.Result(CheckResult.PASS, List.of(byDkim), false));
	}

	private DkimCheck.Result dkim(String mail) throws Exception {
		return this.dkim.check(mail("x@out.test", mail).raw());
	}

	private static void publishKeys() {
		Surroundings.DNS.publish("TXT", "brisbane._domainkey.football.example.com",
				"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
		Surroundings.DNS.publish("TXT", "test._domainkey.football.example.com",
				"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2j"
						+ "LQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYL"
						+ "zBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB");
	}

	private static IncomingMail mail(String sender, String mail) {
		try {
			return new IncomingMail(InetAddress.getByName("192.0.2.1"), "helo.spf.test", sender,
					mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
