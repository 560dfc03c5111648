package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.tracking.LinkTarget;

/**
 * The recipients of the demo account: they open mails, click, unsubscribe and complain.
 */
final class DemoRecipients implements AutoCloseable {

	private static final Pattern ORDER = Pattern.compile("Your order (\\d+)");

	private static final String SITE = "https://quillmoor.example/";

	private static final int CONCURRENCY = 12;

	/** Out of 1000 persons. */
	private static final int CAMPAIGN_OPENS = 430;

	private static final int OTHER_OPENS = 300;

	private static final int CLICKS = 110;

	private static final int UNSUBSCRIBES = 8;

	/** Complaints, and bounces that arrive after the delivery. */
	private static final int REPORTS = 2;

	private static final List<String> BROWSERS = List.of(
			"Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0",
			"Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
			"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15",
			"Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/152.0 Mobile Safari/537.36");

	private final DemoTarget target;

	private final History history;

	private final Rest api;

	private final ExecutorService threads = Executors.newFixedThreadPool(CONCURRENCY);

	DemoRecipients(DemoTarget target, History history) {
		this.target = target;
		this.history = history;
		this.api = new Rest(target.api());
	}

	/** Lets the recipients of all delivered mails react. */
	void react() throws IOException, InterruptedException, SQLException {
		List<Delivered> mails = this.history.delivered();
		List<Callable<Void>> reactions = new ArrayList<>();
		mails.forEach((mail) -> reactions.add(() -> {
			react(mail);
			return null;
		}));
		try {
			for (Future<Void> done : this.threads.invokeAll(reactions)) {
				done.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IOException("A recipient of the demo account could not follow a link", ex.getCause());
		}
		report(mails);
	}

	private void react(Delivered mail) throws IOException, InterruptedException {
		int rank = mail.rank();
		boolean campaign = mail.campaignId() != null;
		String browser = BROWSERS.get(rank % BROWSERS.size());
		if (rank >= (campaign ? CAMPAIGN_OPENS : OTHER_OPENS)) {
			return;
		}
		this.api.visit(URI.create(this.target.links().openUrl(mail.account(), mail.id())), browser);
		if (rank < CLICKS) {
			for (String url : links(mail)) {
				LinkTarget link = LinkTarget.of(url).orElseThrow();
				this.api.visit(URI.create(this.target.links().clickUrl(mail.account(), mail.id(), link)), browser);
			}
		}
		if (rank < UNSUBSCRIBES && mail.contact() != null) {
			this.api.unsubscribe(URI
				.create(this.target.links().unsubscribeUrl(null, mail.account(), mail.contact(), mail.campaignId())),
					browser);
		}
	}

	/** Targets of the links that a person follows, some of them again. */
	private static List<String> links(Delivered mail) {
		String campaign = mail.campaign();
		if (campaign != null) {
			String letter = SITE + path(campaign);
			return switch (mail.rank() % 6) {
				case 0, 3 -> List.of(SITE + "shop");
				case 1 -> List.of(letter, SITE + "shop", letter);
				default -> List.of(letter);
			};
		}
		Matcher order = ORDER.matcher(mail.subject());
		return order.find() ? List.of(SITE + "orders/" + order.group(1)) : List.of();
	}

	/** Part of a URL that stands for a name. */
	static String path(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("\\W+", "-");
	}

	private void report(List<Delivered> mails) throws IOException {
		List<Delivered> reporting = mails.stream().filter((mail) -> mail.rank() > 970).toList();
		long complaints = 0;
		long bounces = 0;
		for (Delivered mail : reporting) {
			String path = this.target.returnPath().of(mail.account(), mail.id(), mail.domain());
			if ("Spring fair".equals(mail.campaign()) && complaints < REPORTS) {
				InboundMails.complain(this.target.inbound(), path);
				complaints++;
			}
			else if (mail.campaign() == null && bounces < REPORTS) {
				InboundMails.bounce(this.target.inbound(), path);
				bounces++;
			}
		}
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		this.api.close();
	}

}
