package dev.mailroom.blob;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.AskingTestDns;
import dev.mailroom.mail.accept.Acceptor;
import dev.mailroom.mail.accept.SendRequest;
import dev.mailroom.mail.draft.MailRules;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BlobTest extends AskingTestDns {

	private static final String LARGE = "Größer als eine Zeile. ".repeat(5_000);

	private static final byte[] FILE = new byte[100_000];

	@Autowired
	Acceptor acceptor;

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	Blobs blobs;

	@Autowired
	Transactions transactions;

	private final Scope scope = Given.sender("free");

	private int epoch;

	@AfterEach
	void restoreTheBucket() {
		BUCKET.away(false);
		BUCKET.missing(false);
	}

	@Test
	void largeContentIsStoredInTheBucketAndHandedOverComplete() {
		UUID mail = accepted(LARGE, "small", FILE, "little".getBytes(StandardCharsets.UTF_8));
		assertThat(BUCKET.keys(this.scope.account())).containsExactly(key(mail, "0"), key(mail, "html"));
		assertThat(Given.rows("select html is null and text = 'small' from email_content where email_id = '%s'", mail))
			.containsExactly("t");
		assertThat(Given.rows("select position from attachment where email_id = '%s'", mail)).containsExactly("1");
		assertThat(loose()).isEmpty();
		HandOver passed = fenced(mail).getFirst();
		assertThat(passed.mail().html()).isEqualTo(LARGE);
		assertThat(passed.mail().text()).isEqualTo("small");
		assertThat(passed.mail().attachments().getFirst().content()).isEqualTo(FILE);
		assertThat(passed.mail().attachments().getLast().content()).asString().isEqualTo("little");
	}

	@Test
	void smallContentIsStoredInRows() {
		UUID mail = accepted("little", null, "little".getBytes(StandardCharsets.UTF_8));
		assertThat(BUCKET.keys(this.scope.account())).isEmpty();
		assertThat(fenced(mail)).hasSize(1);
	}

	@Test
	void anObjectWithoutAMailIsDeletedAfterItsTime() {
		SendRequest other = request("b@another.test", LARGE, null);
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> await(this.acceptor.accept(other)));
		assertThat(BUCKET.keys(this.scope.account())).hasSize(1);
		assertThat(loose()).containsExactly("html");
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).hasSize(1);
		Given.run("update blob_loose set due_at = now() where account_id = '%s'", this.scope.account());
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).isEmpty();
		assertThat(loose()).isEmpty();
	}

	@Test
	void aRemovalThatFailedIsRepeatedAndNoMailCanReferToTheObjectMeanwhile() {
		SendRequest other = request("b@another.test", LARGE, null);
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> await(this.acceptor.accept(other)));
		UUID owner = UUID.fromString(
				Given
					.rows("update blob_loose set due_at = now() where account_id = '%s' returning owner_id",
							this.scope.account())
					.getFirst());
		BUCKET.away(true);
		assertThat(this.blobs.sweep()).isZero();
		BUCKET.away(false);
		assertThat(
				Given.rows("select failures || ' ' || (due_at > now()) from blob_loose where owner_id = '%s'", owner))
			.containsExactly("1 true");
		assertThat(BUCKET.keys(this.scope.account())).hasSize(1);
		List<Blob.Name> names = List.of(new Blob.Name(this.scope.account(), owner, "html"));
		assertThatException().isThrownBy(() -> await(this.transactions.in(this.scope, this.blobs.refer(names))))
			.withMessageContaining("deleted from the bucket");
		Given.run("update blob_loose set due_at = now() where owner_id = '%s'", owner);
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).isEmpty();
		assertThat(loose()).isEmpty();
	}

	@Test
	void aSweepEndsWhenNothingIsDueAndPutsOffWhatCannotBeDeleted() {
		Given.run("insert into blob_loose select '%1$s', '%1$s', part, now() from generate_series(1, 600) part",
				this.scope.account());
		BUCKET.lock(this.scope.account() + "/" + this.scope.account() + "/7");
		assertThat(this.blobs.sweep()).isGreaterThanOrEqualTo(599);
		assertThat(Given.rows("select part || ' ' || failures || ' ' || (due_at > now()) from blob_loose "
				+ "where account_id = '%s'", this.scope.account()))
			.containsExactly("7 1 true");
	}

	@Test
	void onlyLargeMailIsRefusedWhileTheBucketIsUnavailable() {
		BUCKET.away(true);
		assertThatExceptionOfType(Refused.class)
			.isThrownBy(() -> await(this.acceptor.accept(request(sender(), LARGE, null))))
			.satisfies((no) -> assertThat(no.refusal().error()).isEqualTo("Service unavailable"));
		assertThat(Given.rows("select id from email where account_id = '%s'", this.scope.account())).isEmpty();
		accepted("little", null);
	}

	@Test
	void aMailWaitsWhileTheBucketIsUnavailableAndFailsIfItsContentIsMissing() {
		UUID mail = accepted(LARGE, null);
		BUCKET.away(true);
		assertThat(fenced(mail)).isEmpty();
		assertThat(Given.rows("select phase || ' ' || attempt from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 0");
		BUCKET.away(false);
		assertThat(fenced(mail)).hasSize(1);
		BUCKET.lose(this.scope.account());
		assertThat(fenced(mail)).isEmpty();
		assertThat(Given.rows("select status || ' ' || attempt from delivery where email_id = '%s'", mail))
			.containsExactly("pending 2");
		Given.run("update queue set attempt = 7 where email_id = '%s'", mail);
		assertThat(fenced(mail)).isEmpty();
		assertThat(Given.rows("select why from dead_letter where email_id = '%s'", mail))
			.containsExactly("The mail's content is gone");
		assertThat(Given.rows("select status || ' ' || reply from delivery where email_id = '%s'", mail))
			.containsExactly("failed The mail's content is gone");
	}

	@Test
	void aBucketThatDoesNotExistFailsNoMail() {
		UUID mail = accepted(LARGE, null);
		await(this.blobs.check());
		BUCKET.missing(true);
		assertThat(fenced(mail)).isEmpty();
		assertThat(Given.rows("select phase || ' ' || attempt from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 0");
		assertThatException().isThrownBy(() -> await(this.blobs.check())).withMessageContaining("NoSuchBucket");
		BUCKET.missing(false);
		assertThat(fenced(mail)).hasSize(1);
	}

	private String sender() {
		return "a@" + this.scope.domain() + ".test";
	}

	private String key(UUID mail, String part) {
		return this.scope.account() + "/" + mail + "/" + part;
	}

	private List<String> loose() {
		return Given.rows("select part from blob_loose where account_id = '%s'", this.scope.account());
	}

	private UUID accepted(String html, String text, byte[]... files) {
		return await(this.acceptor.accept(request(sender(), html, text, files))).single().id();
	}

	private SendRequest request(String from, String html, String text, byte[]... files) {
		List<MailContent.Attachment> attachments = Stream.of(files)
			.map((file) -> MailContent.Attachment.of("a.bin", null, null, Base64.getEncoder().encodeToString(file)))
			.toList();
		Submission mail = Submission.of(from, List.of("b@c.test"),
				MailContent.of("Hello", html, text).withAttachments(attachments));
		return SendRequest.of(this.scope, MailRules.check(mail, Instant.EPOCH));
	}

	private List<HandOver> fenced(UUID mail) {
		Given.run("update queue set ready = true, data_until = null where email_id = '%s'", mail);
		Given.leased(mail, ++this.epoch);
		List<String> row = Given.rows("select id || ' ' || epoch from delivery_state where email_id = '%s'", mail);
		String[] lease = row.getFirst().split(" ", -1);
		return pass(List.of(new Lease(UUID.fromString(lease[0]), Integer.parseInt(lease[1]))));
	}

	private List<HandOver> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
