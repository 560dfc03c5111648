package dev.mailroom.sdk.program;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.sdk.Campaign;
import dev.mailroom.sdk.Contact;
import dev.mailroom.sdk.ContactBook;
import dev.mailroom.sdk.Domain;
import dev.mailroom.sdk.Email;
import dev.mailroom.sdk.EmailLogItem;
import dev.mailroom.sdk.EmailStatus;
import dev.mailroom.sdk.Emails;
import dev.mailroom.sdk.EventKind;
import dev.mailroom.sdk.ForwardTarget;
import dev.mailroom.sdk.InboundAction;
import dev.mailroom.sdk.InboundItem;
import dev.mailroom.sdk.InboundRoute;
import dev.mailroom.sdk.InboundSpamRule;
import dev.mailroom.sdk.IssuedWebhookEndpoint;
import dev.mailroom.sdk.Mailroom;
import dev.mailroom.sdk.MailroomException;
import dev.mailroom.sdk.NewCampaign;
import dev.mailroom.sdk.NewContact;
import dev.mailroom.sdk.NewSuppression;
import dev.mailroom.sdk.Suppression;
import dev.mailroom.sdk.Template;
import dev.mailroom.sdk.TrackingDomain;
import dev.mailroom.sdk.TrackingDomainState;
import dev.mailroom.sdk.WebhookCalls;
import dev.mailroom.sdk.WebhookDelivery;
import dev.mailroom.sdk.WebhookTestEvent;

/** Calls every operation: MAILROOM_URL, MAILROOM_API_KEY and DOMAIN. */
public final class AllOperations {

	private static final String DOMAIN = System.getenv("DOMAIN");

	private static final String FROM = "Ada <ada@" + DOMAIN + ">";

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final Mailroom mailroom = Mailroom.create();

	private AllOperations() {
	}

	public static void main(String[] args) throws Exception {
		AllOperations program = new AllOperations();
		program.keyAndUsage();
		program.emails();
		program.domains();
		program.templates();
		program.contactsAndCampaigns();
		program.suppressions();
		program.webhooks();
		program.inbound();
		program.reports();
		System.out.println("java sdk passed on " + Runtime.version().feature());
	}

	private void keyAndUsage() {
		check(this.mailroom.key().current().domain() == null);
		check(this.mailroom.usage().get().daily().used() >= 0);
	}

	private static Email mail() {
		return new Email().from(FROM).to("charles@babbage.test").subject("Note G").text("It weaves.");
	}

	private void emails() {
		Emails emails = this.mailroom.emails();
		String id = emails.send(mail().tags(Map.of("kind", "note"))).id();
		check(emails.waitFor(id, LIMIT).status().equals(EmailStatus.DELIVERED));
		check(emails.events(id).first().isPresent());
		check(emails.attempts(id).size() == 1);
		List<Emails.Outcome> batch = emails.sendBatch(List.of(mail(), mail().from("a@elsewhere.test")));
		check(batch.get(0) instanceof Emails.Sent);
		check(batch.get(1) instanceof Emails.Rejected);
		String message = "From: " + FROM + "\nTo: charles@babbage.test\nSubject: Schön\n\nIt weaves.\n";
		String mime = emails.sendMime(message.getBytes(StandardCharsets.UTF_8)).id();
		check(emails.get(mime).to().equals(List.of("charles@babbage.test")));
		String hidden = emails
			.sendMime(message.getBytes(StandardCharsets.UTF_8),
					(query) -> query.to(List.of("charles@babbage.test", "two@babbage.test")).sendAt(inAnHour()))
			.id();
		check(emails.get(hidden).bcc().size() == 1);
		emails.cancel(hidden);
		String later = emails.send(mail().sendAt(inAnHour())).id();
		emails.reschedule(later, (it) -> it.sendAt(inAnHour()));
		emails.cancel(later);
		check(emails.get(later).lastEvent().equals("cancelled"));
		List<String> listed = new ArrayList<>();
		for (EmailLogItem email : emails.list((query) -> query.limit(1))) {
			listed.add(email.id());
		}
		check(listed.size() >= 3 && listed.stream().distinct().count() == listed.size());
		try {
			emails.get("00000000-0000-4000-8000-000000000000");
			check(false);
		}
		catch (MailroomException.NotFound ex) {
			check(ex.statusCode() == 404);
		}
	}

	private void domains() {
		Domain domain = this.mailroom.domains().create((it) -> it.name("java." + DOMAIN));
		this.mailroom.domains().verify(domain.id());
		this.mailroom.domains().waitUntilVerified(domain.id(), LIMIT);
		this.mailroom.domains().rotateDkim(domain.id());
		check(this.mailroom.domains().update(domain.id(), (it) -> it.openTracking(true)).openTracking());
		check(this.mailroom.domains().get(domain.id()).id().equals(domain.id()));
		check(this.mailroom.domains().list().first().isPresent());
		check(this.mailroom.domains()
			.dmarc(domain.id(), (query) -> query.from("2026-01-01").to("2026-01-31"))
			.reports() == 0);
		check(this.mailroom.domains()
			.tlsReports(domain.id(), (query) -> query.from("2026-01-01").to("2026-01-31"))
			.reports() == 0);
		check(this.mailroom.domains().readiness(domain.id()).size() > 5);
		check(this.mailroom.domains().policy(domain.id()).records().isEmpty());
		try {
			this.mailroom.domains().choosePolicy(domain.id(), (it) -> it.mode("testing"));
			check(false);
		}
		catch (MailroomException.Conflict ex) {
			check(ex.statusCode() == 409);
		}
		this.mailroom.domains().deletePolicy(domain.id());
		TrackingDomain links = this.mailroom.trackingDomains()
			.create((it) -> it.name("links." + domain.name()).domainId(domain.id()));
		check(this.mailroom.trackingDomains().verify(links.id()).state().equals(TrackingDomainState.PENDING));
		check(this.mailroom.trackingDomains().list().size() == 1);
		this.mailroom.trackingDomains().delete(links.id());
		this.mailroom.domains().delete(domain.id());
	}

	private void templates() {
		Template template = this.mailroom.templates()
			.create((it) -> it.name("Java").subject("Hi {{name}}").textContent("x"));
		this.mailroom.templates().update(template.id(), (it) -> it.textContent("{{name}}"));
		check("Hi Ann".equals(this.mailroom.templates()
			.render(template.id(), (it) -> it.variables(Map.of("name", "Ann")))
			.subject()));
		this.mailroom.templates()
			.test(template.id(), (it) -> it.to("ann@example.test").from(FROM).variables(Map.of("name", "Ann")));
		check(this.mailroom.templates().get(template.id()).name().equals("Java"));
		check(this.mailroom.templates().list().first().isPresent());
		this.mailroom.templates().delete(template.id());
	}

	private void contactsAndCampaigns() throws Exception {
		ContactBook book = this.mailroom.contactBooks().create((it) -> it.name("Java").doubleOptIn(true));
		String id = book.id();
		this.mailroom.contactBooks().update(id, (it) -> it.name("Java 2"));
		check(this.mailroom.contactBooks().get(id).name().equals("Java 2"));
		check(this.mailroom.contactBooks().list().first().isPresent());
		Contact contact = this.mailroom.contacts().create(id, (it) -> it.email("one@java.test"));
		try {
			this.mailroom.contacts().repeatConfirmation(id, contact.id());
			check(false);
		}
		catch (MailroomException.RateLimited ex) {
			// A contact is asked once a day.
			check(ex.attempts() == 3);
		}
		this.mailroom.contacts().update(id, contact.id(), (it) -> it.firstName("One"));
		this.mailroom.contacts().put(id, contact.id(), (it) -> it.email("one@java.test").lastName("Last"));
		check(this.mailroom.contacts().get(id, contact.id()).lastName().equals("Last"));
		check(this.mailroom.contacts()
			.saveAll(id, List.of(new NewContact().email("two@java.test"), new NewContact().email("three@java.test")),
					(query) -> query.consentStated(true))
			.count() == 2);
		check(this.mailroom.contacts().importCsv(id, "email,first_name\nfour@java.test,Four\n").count() == 1);
		check(this.mailroom.contacts().list(id, (query) -> query.search("four").limit(1)).stream().count() == 1);
		try (InputStream csv = this.mailroom.contacts().exportCsv(id)) {
			check(new String(csv.readAllBytes(), StandardCharsets.UTF_8).contains("four@java.test"));
		}
		this.mailroom.contacts().delete(id, contact.id());
		campaigns(id);
		this.mailroom.contactBooks().delete(id);
	}

	private void campaigns(String book) {
		Consumer<NewCampaign> draft = (it) -> it.name("Java")
			.contactBookId(book)
			.from(FROM)
			.subject("News")
			.htmlContent("<p>{{unsubscribe_url}}</p>")
			.pace(1L);
		Campaign campaign = this.mailroom.campaigns().create(draft);
		String id = campaign.id();
		this.mailroom.campaigns().update(id, (it) -> it.subject("News of today"));
		this.mailroom.campaigns().test(id, (it) -> it.to("ann@example.test"));
		this.mailroom.campaigns().schedule(id, (it) -> it.sendAt(inAnHour()));
		this.mailroom.campaigns().unschedule(id);
		this.mailroom.campaigns().start(id);
		this.mailroom.campaigns().pause(id);
		this.mailroom.campaigns().resume(id);
		check(this.mailroom.campaigns().get(id).totalContacts() == 2);
		this.mailroom.campaigns().series(id, (query) -> query.interval("day"));
		this.mailroom.campaigns().links(id);
		this.mailroom.campaigns().delete(this.mailroom.campaigns().create(draft).id());
		check(this.mailroom.campaigns()
			.list((query) -> query.search("News of today"))
			.stream()
			.anyMatch((it) -> it.id().equals(id)));
		this.mailroom.campaigns().pause(id);
		this.mailroom.campaigns().delete(id);
	}

	private void suppressions() {
		Suppression suppression = this.mailroom.suppressions().add((it) -> it.email("never@java.test"));
		check(this.mailroom.suppressions().addAll(List.of(new NewSuppression().email("no@java.test"))) == 1);
		check(this.mailroom.suppressions().list((query) -> query.search("never@java")).first().isPresent());
		this.mailroom.suppressions().remove(suppression.id());
	}

	private void webhooks() throws Exception {
		BlockingQueue<Received> calls = new LinkedBlockingQueue<>();
		HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		receiver.createContext("/", (exchange) -> {
			calls.add(new Received(exchange.getRequestBody().readAllBytes(), exchange.getRequestHeaders()));
			exchange.sendResponseHeaders(204, -1);
			exchange.close();
		});
		receiver.start();
		try {
			webhooks(receiver.getAddress().getPort(), calls);
		}
		finally {
			receiver.stop(0);
		}
	}

	private void webhooks(int port, BlockingQueue<Received> calls) throws Exception {
		IssuedWebhookEndpoint endpoint = this.mailroom.webhooks()
			.create((it) -> it.url("http://localhost:" + port + "/hooks").events(List.of(EventKind.EMAIL_BOUNCED)));
		String id = endpoint.id();
		IssuedWebhookEndpoint rotated = this.mailroom.webhooks().rotateSecret(id);
		WebhookDelivery delivery = this.mailroom.webhooks().test(id);
		Received call = Optional.ofNullable(calls.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).orElseThrow();
		for (String secret : List.of(endpoint.secret(), rotated.secret())) {
			check(WebhookCalls.of(secret)
				.verify(call.body(), (name) -> call.headers().getFirst(name)) instanceof WebhookTestEvent);
		}
		this.mailroom.webhooks().redeliver(delivery.id());
		check(this.mailroom.webhooks().deliveries(id).first().orElseThrow().id().equals(delivery.id()));
		this.mailroom.webhooks().recover(id, (it) -> it.since(Instant.now().minusSeconds(60)));
		this.mailroom.webhooks().update(id, (it) -> it.active(false));
		check(!this.mailroom.webhooks().get(id).active());
		check(this.mailroom.webhooks().list().first().isPresent());
		check(this.mailroom.webhooks().eventTypes().eventTypes().size() == 28);
		check(this.mailroom.webhooks().listenSecret().secret().startsWith("whsec_"));
		this.mailroom.webhooks().delete(id);
	}

	private void inbound() {
		Instant end = Instant.now().plus(LIMIT);
		Optional<InboundItem> found = this.mailroom.inbound().list().first();
		while (found.isEmpty()) {
			check(Instant.now().isBefore(end));
			found = this.mailroom.inbound().list().first();
		}
		ForwardTarget target = this.mailroom.inbound().createTarget((it) -> it.address("target@kept.example"));
		check(!this.mailroom.inbound().resendTarget(target.id()).confirmed());
		check(this.mailroom.inbound().targets().get(0).id().equals(target.id()));
		this.mailroom.inbound().deleteTarget(target.id());
		String id = found.get().id();
		check(this.mailroom.inbound().get(id).subject().equals("To the SDK"));
		check(new String(this.mailroom.inbound().source(id), StandardCharsets.UTF_8).contains("To the SDK"));
		check(new String(this.mailroom.inbound().attachment(id, 0), StandardCharsets.UTF_8).equals("A note."));
		String domain = this.mailroom.domains()
			.list()
			.stream()
			.filter((it) -> it.name().equals(DOMAIN))
			.findFirst()
			.orElseThrow()
			.id();
		InboundRoute refused = this.mailroom.inbound()
			.createRoute((it) -> it.domainId(domain).pattern("no-*").action(InboundAction.REJECT));
		InboundRoute all = this.mailroom.inbound().createRoute((it) -> it.domainId(domain).pattern("*"));
		check(this.mailroom.inbound()
			.updateRoute(all.id(), (it) -> it.spam(InboundSpamRule.DROP))
			.spam()
			.equals(InboundSpamRule.DROP));
		this.mailroom.inbound().orderRoutes((it) -> it.domainId(domain).ids(List.of(all.id(), refused.id())));
		check(all.id().equals(this.mailroom.inbound().testRoute((it) -> it.recipient("no-reply@" + DOMAIN)).routeId()));
		this.mailroom.inbound().deleteRoute(all.id());
		check(this.mailroom.inbound()
			.routes((it) -> it.domainId(domain))
			.stream()
			.map(InboundRoute::id)
			.toList()
			.equals(List.of(refused.id())));
		this.mailroom.inbound().deleteRoute(refused.id());
	}

	private void reports() {
		check(this.mailroom.analytics().metrics().delivered() >= 0);
		check(this.mailroom.analytics().reputation((query) -> query.from("2026-01-01")).sampleSize() >= 0);
		check(this.mailroom.events().list().toList(5).size() == 5);
	}

	private static Instant inAnHour() {
		return Instant.now().plusSeconds(3_600);
	}

	private static void check(boolean condition) {
		if (!condition) {
			throw new AssertionError();
		}
	}

	private record Received(byte[] body, com.sun.net.httpserver.Headers headers) {
	}

}
