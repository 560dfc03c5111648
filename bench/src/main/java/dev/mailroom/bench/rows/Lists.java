package dev.mailroom.bench.rows;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.bench.MailHistory;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;

/**
 * Response times of lists and metrics for an account with ten thousand mails and one with
 * many more, in databases of their own (G12 to G14). Requests are sent one after another,
 * in turns.
 */
final class Lists implements Section {

	private static final String FEW = "few";

	private static final String MANY = "many";

	private static final int FEW_MAILS = 10_000;

	private static final int REQUESTS = Size.QUICK ? 20 : 200;

	private static final String LOG = "/api/emails/logs?limit=50&page=";

	private static final String BOUNCED = "/api/emails/logs?status=bounced&limit=50&page=";

	/** Requests every page. */
	private Action warming = (_) -> {
	};

	@Override
	public void warmUp() throws Exception {
		this.warming.run(Recording.NONE);
	}

	@Override
	public Set<Figure> figures() {
		return EnumSet.range(Figure.LOG_FEW_P50, Figure.CAMPAIGNS_MANY_P50);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		Account few;
		Account many;
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Account> first = threads.submit(() -> account(stack, FEW, FEW_MAILS));
			many = account(stack, MANY, Size.MAILS);
			few = first.get();
		}
		this.warming = (out) -> {
			log(few, many, out);
			others(few, many, out);
		};
		return List.of(
				Step.of((out) -> log(few, many, out), Figure.LOG_FEW_P50, Figure.LOG_FEW_P99, Figure.LOG_MANY_P50,
						Figure.LOG_MANY_P99, Figure.LOG_HALF_P50, Figure.BOUNCED_FEW_P50, Figure.BOUNCED_MANY_P50,
						Figure.BOUNCED_HALF_P50),
				Step.of((out) -> others(few, many, out), Figure.REPUTATION_FEW_P50, Figure.REPUTATION_MANY_P50,
						Figure.CAMPAIGNS_FEW_P50, Figure.CAMPAIGNS_MANY_P50));
	}

	private static Account account(Stack stack, String name, int mails) throws Exception {
		stack.database().furnish(name);
		Program api = stack.start(name, PlatformApi.class, name);
		Tenant.in(api, stack.database(), name, name + ".test");
		new MailHistory(stack.database(), name, name + ".test").fill(mails);
		return new Account(api, stack.resources().add(new Web(api.apiPort())));
	}

	private static void log(Account few, Account many, Recorder out) throws Exception {
		few.logIn();
		many.logIn();
		Times times = new Times();
		String half = LOG + many.pages(LOG) / 2;
		String bouncedHalf = BOUNCED + many.pages(BOUNCED) / 2;
		for (int i = 0; i < REQUESTS; i++) {
			times.add(Figure.LOG_FEW_P50, few.request(LOG + 1));
			times.add(Figure.LOG_MANY_P50, many.request(LOG + 1));
			times.add(Figure.LOG_HALF_P50, many.request(half));
			times.add(Figure.BOUNCED_FEW_P50, few.request(BOUNCED + 1));
			times.add(Figure.BOUNCED_MANY_P50, many.request(BOUNCED + 1));
			times.add(Figure.BOUNCED_HALF_P50, many.request(bouncedHalf));
		}
		times.report(out);
		out.add(Figure.LOG_FEW_P99, times.percentile(Figure.LOG_FEW_P50, 99));
		out.add(Figure.LOG_MANY_P99, times.percentile(Figure.LOG_MANY_P50, 99));
	}

	private static void others(Account few, Account many, Recorder out) throws Exception {
		few.logIn();
		many.logIn();
		Times times = new Times();
		for (int i = 0; i < REQUESTS; i++) {
			times.add(Figure.REPUTATION_FEW_P50, few.request("/api/analytics/reputation-metrics"));
			times.add(Figure.REPUTATION_MANY_P50, many.request("/api/analytics/reputation-metrics"));
			times.add(Figure.CAMPAIGNS_FEW_P50, few.request("/api/campaigns"));
			times.add(Figure.CAMPAIGNS_MANY_P50, many.request("/api/campaigns"));
		}
		times.report(out);
	}

	/** An API with one account. */
	private record Account(Program api, Web web) {

		/** An access token is valid for a shorter time than a run takes. */
		void logIn() throws Exception {
			this.web.use("");
			this.web.use(this.web
				.post("/api/auth/login",
						"{\"email\": \"%s\", \"password\": \"%s\"}".formatted(Tenant.EMAIL, Tenant.PASSWORD))
				.json(200)
				.at("/data/access_token")
				.stringValue());
		}

		long pages(String path) throws Exception {
			return this.web.get(path + 1).json(200).at("/data/pagination/totalPages").longValue();
		}

		/** Milliseconds of a request. */
		double request(String path) throws Exception {
			long start = System.nanoTime();
			Web.Answer answer = this.web.get(path);
			double millis = (System.nanoTime() - start) / 1e6;
			if (answer.status() != 200) {
				throw new IllegalStateException(path + " returned " + answer.status());
			}
			return millis;
		}

	}

	/** Milliseconds of the requests of a round, by figure. */
	private static final class Times {

		private final Map<Figure, List<Double>> millis = new EnumMap<>(Figure.class);

		void add(Figure figure, double value) {
			this.millis.computeIfAbsent(figure, (_) -> new ArrayList<>()).add(value);
		}

		void report(Recorder out) throws Exception {
			for (Figure figure : this.millis.keySet()) {
				out.add(figure, percentile(figure, 50));
			}
		}

		double percentile(Figure figure, int percent) {
			double[] sorted = this.millis.getOrDefault(figure, List.of())
				.stream()
				.mapToDouble(Double::doubleValue)
				.sorted()
				.toArray();
			return sorted[(sorted.length - 1) * percent / 100];
		}

	}

}
