package dev.mailroom.directory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.directory.Directory.Difference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The work on the directory that repeats: it shows whether the copy in this cell is up to
 * date, and repairs differences between the directory and the cell's own rows.
 */
@Service
public class DirectoryCopy {

	private static final Logger log = LoggerFactory.getLogger(DirectoryCopy.class);

	/** Differences that are read at once. */
	private static final int PAGE_SIZE = 500;

	/**
	 * Time after a claim in which its transaction may still commit, and the copy may not
	 * show it yet.
	 */
	private static final Duration SETTLED = Duration.ofMinutes(2);

	private static final Duration MAX_AGE = Duration.ofMinutes(3);

	private final String cell;

	private final @Nullable DirectoryServer server;

	private final JdbcTransactions transactions;

	private volatile double age = Double.NaN;

	private volatile double conflicts = Double.NaN;

	private volatile double reached = Double.NaN;

	private volatile long observedAt;

	DirectoryCopy(Directory directory, JdbcTransactions transactions) {
		this.cell = directory.cell();
		this.server = directory.server();
		this.transactions = transactions;
	}

	/** Whether there is a directory. */
	public boolean isUsed() {
		return this.server != null;
	}

	/** Seconds since the last sign of this cell that its copy shows. */
	public double age() {
		return present(this.age);
	}

	/** Names of this cell that another cell has, when they were last compared. */
	public double conflicts() {
		return present(this.conflicts);
	}

	/** One if the directory was reached when it was last tried, else zero. */
	public double reached() {
		return present(this.reached);
	}

	/** The value, or not a number if another worker observes the directory now. */
	private double present(double value) {
		return (System.nanoTime() - this.observedAt < MAX_AGE.toNanos()) ? value : Double.NaN;
	}

	/** Measures the age of the copy, and leaves a sign of this cell in the directory. */
	public void observe() {
		DirectoryServer directory = this.server;
		if (directory != null) {
			this.observedAt = System.nanoTime();
			this.age = this.transactions.acrossAccounts((jdbc) -> DirectoryStore.seconds(jdbc, this.cell))
				.stream()
				.findFirst()
				.orElse(Double.NaN);
			this.reached = 0;
			this.reached = directory.run((jdbc) -> {
				DirectoryStore.seen(jdbc);
				return 1;
			});
		}
	}

	/**
	 * Compares the rows of this cell with the copy of the directory: claims what is
	 * missing, and releases what this cell does not have. An account that has been moved
	 * is given to its new cell.
	 * @return number of differences that were repaired
	 */
	public long repair() {
		DirectoryServer directory = this.server;
		if (directory == null) {
			return 0;
		}
		long found = 0;
		long refused = 0;
		String after = "";
		List<Difference> page;
		do {
			String last = after;
			page = this.transactions
				.acrossAccounts((jdbc) -> DirectoryStore.differences(jdbc, this.cell, SETTLED, last, PAGE_SIZE));
			if (!page.isEmpty()) {
				List<Difference> differences = page;
				refused += directory.run((jdbc) -> repair(jdbc, differences));
				found += page.size();
				after = page.getLast().name();
			}
		}
		while (page.size() == PAGE_SIZE);
		this.conflicts = refused;
		return found - refused;
	}

	private static long repair(JdbcClient jdbc, List<Difference> differences) {
		Map<String, List<Difference>> byKind = differences.stream().collect(Collectors.groupingBy(Difference::kind));
		byKind.getOrDefault("moved", List.of())
			.forEach((moved) -> DirectoryStore.move(jdbc, moved.account(), moved.target()));
		List<Difference> surplus = byKind.getOrDefault("surplus", List.of());
		DirectoryStore.release(jdbc, surplus.stream().map(Difference::name).toList(),
				surplus.stream().map(Difference::account).toList(), SETTLED);
		List<Difference> missing = byKind.getOrDefault("missing", List.of());
		List<Directory.Home> refused = DirectoryStore.claim(jdbc, missing.stream().map(Difference::name).toList(),
				missing.stream().map(Difference::account).toList());
		refused.forEach((home) -> log.warn("The account {} has a name that the cell {} has in the directory too",
				home.account(), home.cell()));
		return refused.size();
	}

}
