package dev.mailroom.system.deployment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.process.Web;
import tools.jackson.databind.json.JsonMapper;

/**
 * An account that sends single mails with idempotency keys and a campaign, and receives
 * webhook calls, while it is moved. A client that is refused repeats its request; one
 * that is misdirected goes to the other cell.
 */
final class MovingAccount implements AutoCloseable {

	static final int CONTACTS = 300;

	/** Domain of all recipients. */
	static final String RECIPIENTS = "@moving.example";

	private static final int CLIENTS = 24;

	/** Time between two requests of a client, in nanoseconds. */
	private static final long PAUSE = 20_000_000;

	private final List<Web> cells;

	private final String domain;

	private final HttpServer hooks;

	private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

	private final AtomicInteger numbers = new AtomicInteger();

	private final AtomicLong lastAccepted = new AtomicLong(System.nanoTime());

	private final AtomicLong longestGap = new AtomicLong();

	private volatile long firstAccepted;

	private volatile boolean stopped;

	/** Ids of the accepted mails, by their numbers. */
	final Map<Integer, String> accepted = new ConcurrentHashMap<>();

	/** Ids of the mails of webhook calls. */
	final Set<String> called = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the account's endpoint and campaign.
	 * @param cells ports of the APIs, that of the first cell first
	 * @param token of a session in the first cell
	 */
	MovingAccount(List<Integer> cells, String domain, String token, String key) throws Exception {
		this.cells = cells.stream().map(Web::new).toList();
		this.cells.forEach((cell) -> cell.use(key));
		this.domain = domain;
		this.hooks = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.hooks.createContext("/", (call) -> {
			this.called.add(
					JsonMapper.shared().readTree(call.getRequestBody().readAllBytes()).at("/data/email_id").asString());
			call.sendResponseHeaders(204, -1);
			call.close();
		});
		this.hooks.start();
		try (Web api = new Web(cells.getFirst())) {
			api.use(token);
			api.post("/api/webhooks/endpoints",
					json(Map.of("url", "http://localhost:" + this.hooks.getAddress().getPort() + "/", "events",
							List.of("email.delivered"))))
				.json(201);
			startCampaign(api);
		}
	}

	private void startCampaign(Web api) throws Exception {
		String book = api.post("/api/contact-books", json(Map.of("name", "Readers")))
			.json(201)
			.at("/data/contactBook/id")
			.asString();
		String contacts = IntStream.range(0, CONTACTS)
			.mapToObj((i) -> json(Map.of("email", reader(i))))
			.collect(Collectors.joining(",", "[", "]"));
		api.post("/api/contact-books/" + book + "/contacts/bulk", contacts).json(200);
		String id = api
			.post("/api/campaigns",
					json(Map.of("name", "News", "from", "news@" + this.domain, "subject", "News", "contact_book_id",
							book, "text_content", "News", "pace", 300)))
			.json(201)
			.at("/data/campaign/id")
			.asString();
		api.post("/api/campaigns/" + id + "/start", "").json(200);
	}

	static String reader(int number) {
		return "reader-" + number + RECIPIENTS;
	}

	static String recipient(int number) {
		return "single-" + number + RECIPIENTS;
	}

	/** Sends until the returned work is asked to stop. */
	List<Future<Void>> send() {
		this.firstAccepted = System.nanoTime();
		this.lastAccepted.set(this.firstAccepted);
		return IntStream.range(0, CLIENTS).mapToObj((_) -> this.clients.submit(this::sendAll)).toList();
	}

	private Void sendAll() throws Exception {
		int cell = 0;
		while (!this.stopped) {
			cell = post(this.numbers.incrementAndGet(), cell);
			LockSupport.parkNanos(PAUSE);
		}
		return null;
	}

	/** Sends a mail until it is accepted, and returns the cell that accepted it. */
	int post(int number, int first) throws Exception {
		int cell = first;
		while (true) {
			try {
				Web.Answer answer = this.cells.get(cell)
					.post("/api/emails", json(Map.of("from", "a@" + this.domain, "to", List.of(recipient(number)),
							"subject", "Single", "text", "Hi")), "key-" + number);
				switch (answer.status()) {
					case 421 -> cell = 1 - cell;
					// 409: the request that was interrupted is not known to have ended
					// yet.
					case 409, 503 -> LockSupport.parkNanos(PAUSE);
					default -> {
						accept(number, answer.json(200).path("id").asString());
						return cell;
					}
				}
			}
			catch (IOException _) {
				// The result is unknown: the request is repeated.
			}
		}
	}

	private void accept(int number, String id) {
		long now = System.nanoTime();
		long gap = now - this.lastAccepted.getAndSet(now);
		this.longestGap.accumulateAndGet(gap, Math::max);
		String earlier = this.accepted.put(number, id);
		if (earlier != null && !earlier.equals(id)) {
			throw new AssertionError("The request " + number + " was accepted twice");
		}
	}

	/** The rate, and the longest time in which no mail was accepted. */
	String figures() {
		return "%d mails accepted, %d a second; longest time without acceptance %d ms".formatted(this.accepted.size(),
				this.accepted.size() * 1_000_000_000L / (this.lastAccepted.get() - this.firstAccepted),
				this.longestGap.get() / 1_000_000);
	}

	void stop(List<Future<Void>> sending) throws Exception {
		this.stopped = true;
		for (Future<Void> each : sending) {
			each.get();
		}
	}

	private static String json(Map<String, ?> body) {
		return JsonMapper.shared().writeValueAsString(body);
	}

	@Override
	public void close() {
		this.stopped = true;
		this.clients.close();
		this.cells.forEach(Web::close);
		this.hooks.stop(0);
	}

}
