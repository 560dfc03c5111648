package dev.mailroom.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.process.Database;

/**
 * Ids of the mails that were accepted according to the responses, compared with the
 * databases and the sink at the end: accepted = delivered + bounced + failed + pending.
 */
public final class Ledger {

	private static final int IDS_PER_QUERY = 20_000;

	private final Database database;

	/** Accepted ids by name of the database. */
	private final Map<String, Collection<UUID>> accepted = new ConcurrentSkipListMap<>();

	private final AtomicLong relayed = new AtomicLong();

	Ledger(Database database) {
		this.database = database;
	}

	/** Collection to which the ids of the mails accepted into a database are added. */
	public Collection<UUID> accepted(String name) {
		return this.accepted.computeIfAbsent(name, (_) -> new ConcurrentLinkedQueue<>());
	}

	/** Counts the mails of another program that used the same sink. */
	public Sample relayed(Sample sample) {
		relayed(sample.count());
		return sample;
	}

	/** Counts mails of another program that used the same sink. */
	public void relayed(long mails) {
		this.relayed.addAndGet(mails);
	}

	/** Number of mails of other programs. */
	public long relayed() {
		return this.relayed.get();
	}

	/**
	 * Compares everything, prints a line for each database and returns the differences in
	 * words; none if the mail counts add up.
	 * @param delivering database whose mails are delivered to the sink
	 */
	public List<String> differences(String delivering, Sink sink) throws SQLException {
		List<String> differences = new ArrayList<>();
		for (Map.Entry<String, Collection<UUID>> each : this.accepted.entrySet()) {
			compare(each.getKey(), each.getValue(), each.getKey().equals(delivering), differences);
		}
		long delivered = number(delivering, "select count(*) from delivery where status = 'delivered' "
				+ "and recipient like '%@" + Sink.DOMAIN + "'");
		// The reply to such an attempt is unknown, so that the mail may have arrived
		// twice.
		long uncertain = number(delivering, "select coalesce(sum(ambiguous), 0) from delivery");
		long others = sink.accepted() - this.relayed.get();
		System.out.printf("ledger: delivered %d, at the sink %d (and %d of other relays), uncertain attempts %d%n",
				delivered, others, this.relayed.get(), uncertain);
		if (others < delivered || others > delivered + uncertain) {
			differences.add("delivered %d, but at the sink %d".formatted(delivered, others));
		}
		return differences;
	}

	private void compare(String name, Collection<UUID> ids, boolean settled, List<String> differences)
			throws SQLException {
		Set<UUID> distinct = new HashSet<>(ids);
		if (distinct.size() < ids.size()) {
			differences.add("%s: %d ids were returned more than once".formatted(name, ids.size() - distinct.size()));
		}
		Map<String, Long> statuses = statuses(name, List.copyOf(distinct));
		System.out.printf("ledger: %s: accepted %d = %s%n", name, distinct.size(), statuses);
		long total = statuses.values().stream().mapToLong(Long::longValue).sum();
		if (total != distinct.size()) {
			differences.add("%s: accepted %d, in the database %d".formatted(name, distinct.size(), total));
		}
		if (settled && statuses.containsKey("pending")) {
			differences.add("%s: %d mails are not settled".formatted(name, statuses.get("pending")));
		}
	}

	/** Number of mails by status. */
	private Map<String, Long> statuses(String name, List<UUID> ids) throws SQLException {
		Map<String, Long> statuses = new LinkedHashMap<>();
		try (Connection connection = this.database.connect(name);
				PreparedStatement query = connection.prepareStatement(
						"select status, count(*) from email where id = any(?) group by status order by 1")) {
			for (int from = 0; from < ids.size(); from += IDS_PER_QUERY) {
				query.setArray(1, connection.createArrayOf("uuid",
						ids.subList(from, Math.min(ids.size(), from + IDS_PER_QUERY)).toArray()));
				try (ResultSet result = query.executeQuery()) {
					while (result.next()) {
						statuses.merge(result.getString(1), result.getLong(2), Long::sum);
					}
				}
			}
		}
		return statuses;
	}

	private long number(String name, String sql) throws SQLException {
		try (Connection connection = this.database.connect(name);
				ResultSet result = connection.createStatement().executeQuery(sql)) {
			result.next();
			return result.getLong(1);
		}
	}

}
