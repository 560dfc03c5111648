package dev.mailroom.inbound;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.blob.Blobs;
import dev.mailroom.domain.AskingTestDns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReceivedMailBlobTest extends AskingTestDns {

	private static final byte[] LARGE = new byte[100_000];

	private static final byte[] SMALL = "small".getBytes(StandardCharsets.UTF_8);

	@Autowired
	ReceivedMails mails;

	@Autowired
	InboundEmails emails;

	@Autowired
	Blobs blobs;

	private final Scope scope = Scope.of(Given.account("free"));

	private final UUID domain = Given.domain(this.scope.account());

	@AfterEach
	void restoreTheBucket() {
		BUCKET.away(false);
	}

	@Test
	void largePartsAreStoredInTheBucketForEachDestinationAndReadComplete() {
		Scope other = Scope.of(Given.account("free"));
		keep(LARGE, to(this.scope, this.domain), to(other, Given.domain(other.account())));
		for (Scope each : List.of(this.scope, other)) {
			UUID mail = mail(each);
			assertThat(BUCKET.keys(each.account())).containsExactly(key(each, mail, "1"), key(each, mail, "raw"));
			assertThat(Given.rows("select raw is null from inbound_content where inbound_email_id = '%s'", mail))
				.containsExactly("t");
			assertThat(Given.rows("select content is null from inbound_attachment where inbound_email_id = '%s' "
					+ "order by position", mail))
				.containsExactly("f", "t");
			assertThat(await(this.emails.raw(each, mail))).isEqualTo(LARGE);
			assertThat(await(this.emails.attachment(each, mail, 0)).content()).isEqualTo(SMALL);
			assertThat(await(this.emails.attachment(each, mail, 1))).satisfies((file) -> {
				assertThat(file.filename()).isEqualTo("large.bin");
				assertThat(file.content()).isEqualTo(LARGE);
			});
			assertThat(await(this.emails.find(each, mail)).files()).extracting(InboundEmail.File::size)
				.containsExactly((long) SMALL.length, (long) LARGE.length);
			assertThat(loose(each)).isEmpty();
		}
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> await(this.emails.raw(other, mail(this.scope))));
	}

	@Test
	void objectsOfARepeatedMailAreDeletedAfterTheirTime() {
		keep(LARGE, to(this.scope, this.domain));
		keep(LARGE, to(this.scope, this.domain));
		UUID mail = mail(this.scope);
		assertThat(BUCKET.keys(this.scope.account())).hasSize(4);
		assertThat(loose(this.scope)).containsExactlyInAnyOrder("1", "raw");
		Given.run("update blob_loose set due_at = now() where account_id = '%s'", this.scope.account());
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).containsExactly(key(this.scope, mail, "1"),
				key(this.scope, mail, "raw"));
	}

	@Test
	void largeMailIsNotStoredWhileTheBucketIsUnavailableAndStoredMailIsReadLater() {
		keep(LARGE, to(this.scope, this.domain));
		UUID mail = mail(this.scope);
		BUCKET.away(true);
		refused("Service unavailable", this.emails.raw(this.scope, mail));
		Scope other = Scope.of(Given.account("free"));
		ReceivingDomain destination = to(other, Given.domain(other.account()));
		assertThat(this.mails.keep(received(LARGE), List.of(destination)).materialize().block(Duration.ofSeconds(60)))
			.matches((signal) -> signal != null && signal.isOnError());
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", other.account())).isEmpty();
		BUCKET.away(false);
		assertThat(await(this.emails.raw(this.scope, mail))).isEqualTo(LARGE);
		BUCKET.lose(this.scope.account());
		refused("Inbound email not found", this.emails.raw(this.scope, mail));
		refused("Inbound email not found", this.emails.attachment(this.scope, mail, 1));
	}

	private void keep(byte[] raw, ReceivingDomain... destinations) {
		this.mails.keep(received(raw), List.of(destinations)).block(Duration.ofSeconds(60));
	}

	private static ArrivedMail received(byte[] raw) {
		return new ArrivedMail(new ArrivedMail.Heading("x@out.test", "X", List.of("a@in.test"), List.of(), "Hello"),
				new InboundEmail.Text(null, "Hi"),
				List.of(new InboundEmail.FileContent("small.txt", "text/plain", SMALL),
						new InboundEmail.FileContent("large.bin", "application/octet-stream", LARGE)),
				new ArrivedMail.Verdicts("DISABLED", "PASS", "GRAY", "FAIL", "PROCESSING_FAILED"), raw, "x@out.test",
				"<1@out.test>");
	}

	private static ReceivingDomain to(Scope scope, UUID domain) {
		return new ReceivingDomain(scope.account(), domain, List.of("a@in.test"), false);
	}

	private static UUID mail(Scope scope) {
		List<String> ids = Given.rows("select id from inbound_email where account_id = '%s'", scope.account());
		assertThat(ids).hasSize(1);
		return UUID.fromString(ids.getFirst());
	}

	private static String key(Scope scope, UUID mail, String part) {
		return scope.account() + "/" + mail + "/" + part;
	}

	private static List<String> loose(Scope scope) {
		return Given.rows("select part from blob_loose where account_id = '%s'", scope.account());
	}

	private static void refused(String error, Mono<?> mono) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> await(mono))
			.satisfies((refused) -> assertThat(refused.refusal().error()).isEqualTo(error));
	}

}
