package dev.mailroom.worker.smtp.client;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Relay.RelaySettings;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import org.jspecify.annotations.Nullable;

/** A scripted server, and transports for which it is the relay. */
final class TestRelay implements AutoCloseable {

	static final Route ROUTE = new Route(new UUID(0, 0), "c.test", null, false);

	static final byte[] MESSAGE = "Subject: x\r\n\r\n.dot\r\n..\r\n.\r\nend\r\n".getBytes(StandardCharsets.UTF_8);

	private final ScriptedSmtpServer server = new ScriptedSmtpServer();

	private final List<Relay> relays = new ArrayList<>();

	ScriptedSmtpServer server() {
		return this.server;
	}

	/** A transport without TLS and AUTH. */
	Relay transport() {
		return transport(TlsMode.NONE, null, null);
	}

	Relay transport(TlsMode tls, @Nullable Path caFile, @Nullable String user) {
		return transport(tls, caFile, user, true);
	}

	/** A transport whose 250 means sent and not delivered. */
	Relay intermediate() {
		return transport(TlsMode.NONE, null, null, false);
	}

	private Relay transport(TlsMode tls, @Nullable Path caFile, @Nullable String user, boolean last) {
		return add(new Relay(
				new RelaySettings("localhost", this.server.port(), user, "secret", tls, caFile, last, "helo.test", 20,
						Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(2)),
				Clock.systemUTC()));
	}

	/** A transport with long timeouts for replies. */
	Relay patient(int sessions, Duration openTimeout, Relay.@Nullable Resolver resolver) {
		RelaySettings settings = new RelaySettings("localhost", this.server.port(), null, null, TlsMode.NONE, null,
				true, "helo.test", sessions, Duration.ofSeconds(5), openTimeout, Duration.ofSeconds(60),
				Duration.ofSeconds(60));
		return add((resolver != null) ? new Relay(settings, Clock.systemUTC(), resolver)
				: new Relay(settings, Clock.systemUTC()));
	}

	private Relay add(Relay relay) {
		this.relays.add(relay);
		return relay;
	}

	static HandOverResult hand(Relay relay, String recipient) {
		return hand(relay, recipient, MESSAGE);
	}

	static HandOverResult hand(Relay relay, String recipient, byte[] message) {
		return Await
			.await(relay.with(ROUTE, (session) -> session.hand(new Envelope("b+1@bounce.a.test", recipient), message)));
	}

	/** Kind of the outcome; a bounce is hard or soft. */
	static String kind(HandOverResult result) {
		return switch (result.outcome()) {
			case Outcome.Delivered _ -> "delivered";
			case Outcome.Sent _ -> "sent";
			case Outcome.Bounced bounced -> (bounced.type() == Bounce.Type.HARD) ? "hard" : "soft";
			case Outcome.Deferred _ -> "deferred";
			case Outcome.Failed _ -> "failed";
			case Outcome.Unopened _ -> "unopened";
			case Outcome.Unanswered _ -> "unanswered";
			case Outcome.Suppressed _ -> "suppressed";
		};
	}

	@Override
	public void close() {
		this.relays.forEach(Relay::destroy);
		this.server.close();
	}

}
