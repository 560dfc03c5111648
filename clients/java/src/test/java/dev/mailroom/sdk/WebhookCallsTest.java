package dev.mailroom.sdk;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WebhookCallsTest {

	private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

	private static final String NEXT = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

	private static final Instant TIME = Instant.ofEpochSecond(1614265330);

	private static final byte[] BODY = bytes("""
			{"id": "e1", "type": "email.bounced", "api_version": "2026-11-01", "created_at": "2026-11-21T09:30:00.000Z",
			 "novel": true, "data": {"email_id": "m1", "recipient": "a@b.test", "novel": 1,
			 "bounce": {"type": "new", "reason": "x", "code": "5.1.1", "diagnostic": "550 No"}}}""");

	@Test
	void aSignatureIsThatOfTheStandard() {
		assertThat(WebhookCalls.sign(bytes("{\"test\": 2432232314}"), SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", TIME))
			.containsEntry("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
	}

	@Test
	void aCallIsVerifiedAndTyped() {
		WebhookEvent event = verifier(TIME, SECRET).verify(BODY, signed(SECRET)::get);
		assertThat(event).isInstanceOfSatisfying(EmailBouncedEvent.class, (bounced) -> {
			assertThat(bounced.data().recipient()).isEqualTo("a@b.test");
			assertThat(bounced.data().bounce().type()).isEqualTo("new");
		});
	}

	@Test
	void bothSecretsAreAcceptedDuringARotation() {
		Map<String, String> both = new HashMap<>(signed(SECRET));
		both.merge("webhook-signature", signed(NEXT).get("webhook-signature"), (one, other) -> one + " " + other);
		for (WebhookCalls verifier : List.of(verifier(TIME, SECRET), verifier(TIME, NEXT),
				verifier(TIME, NEXT, SECRET))) {
			assertThat(verifier.verify(BODY, both::get).id()).isEqualTo("e1");
		}
		assertThatExceptionOfType(WebhookException.WrongSignature.class)
			.isThrownBy(() -> verifier(TIME, NEXT).verify(BODY, signed(SECRET)::get));
	}

	@Test
	void whatWasChangedOrIsOldIsRefused() {
		Map<String, String> headers = signed(SECRET);
		byte[] changed = BODY.clone();
		changed[10]++;
		assertThatExceptionOfType(WebhookException.WrongSignature.class)
			.isThrownBy(() -> verifier(TIME, SECRET).verify(changed, headers::get));
		for (int minutes : List.of(-6, 6)) {
			assertThatExceptionOfType(WebhookException.Expired.class)
				.isThrownBy(() -> verifier(TIME.plus(Duration.ofMinutes(minutes)), SECRET).verify(BODY, headers::get));
		}
		for (String name : headers.keySet()) {
			assertThatExceptionOfType(WebhookException.MissingHeaders.class).isThrownBy(() -> verifier(TIME, SECRET)
				.verify(BODY, (header) -> header.equals(name) ? null : headers.get(header)));
		}
	}

	@Test
	void anUnknownKindIsKeptAndAWrongFieldIsNamed() {
		String text = new String(BODY, StandardCharsets.UTF_8);
		assertThat(of(text.replace("email.bounced", "planet.discovered"))).isInstanceOfSatisfying(UnknownEvent.class,
				(unknown) -> {
					assertThat(unknown.kind()).isEqualTo("planet.discovered");
					assertThat(unknown.json()).containsEntry("novel", true);
				});
		assertThatExceptionOfType(WebhookException.WrongShape.class)
			.isThrownBy(() -> of(text.replace("\"a@b.test\"", "7")))
			.withMessageContaining("recipient");
	}

	private static WebhookEvent of(String text) {
		return verifier(TIME, SECRET).verify(bytes(text), WebhookCalls.sign(bytes(text), SECRET, "e1", TIME)::get);
	}

	private static WebhookCalls verifier(Instant now, String... secrets) {
		return new WebhookCalls(Clock.fixed(now, ZoneOffset.UTC), List.of(secrets));
	}

	private static Map<String, String> signed(String secret) {
		return WebhookCalls.sign(BODY, secret, "e1", TIME);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
