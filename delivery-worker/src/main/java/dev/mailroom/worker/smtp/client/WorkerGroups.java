package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.WrongSetting;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSources;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Groups of workers that have the same sending addresses, and the choice of one for a
 * mail: mail of a pool goes to a group that has one of its addresses, all other mail to
 * the default group. While all workers are in the default group, nothing is done.
 */
@Component
public class WorkerGroups {

	/** The group of workers without a setting. */
	public static final String DEFAULT = "default";

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,29}");

	/** Mails whose group is kept for their retries. */
	private static final int MAX_MAILS = 100_000;

	private static final int MAX_DOMAINS = 10_000;

	private static final Duration RETRY_MEMORY = Duration.ofHours(4);

	private final String own;

	private final Supplier<SendingPools> pools;

	private final Supplier<Map<String, Set<String>>> having;

	private final Clock clock;

	private final Cache<String, SiteState.HandedCount> counts = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterAccess(Duration.ofMinutes(2))
		.build();

	/** Groups of mails to busy domains. */
	private final Cache<UUID, String> assigned = Caffeine.newBuilder()
		.maximumSize(MAX_MAILS)
		.expireAfterWrite(RETRY_MEMORY)
		.build();

	@Autowired
	WorkerGroups(@Value("${mailroom.worker-group:" + DEFAULT + "}") String own, SendingSources sources, Clock clock) {
		this(own, sources::known, sources::groups, clock);
	}

	/**
	 * Creates the choice.
	 * @param own the group of this worker
	 * @param having the groups that have each address; empty while there is only one
	 * @throws WrongSetting if that is no name of a group
	 */
	public WorkerGroups(String own, Supplier<SendingPools> pools, Supplier<Map<String, Set<String>>> having,
			Clock clock) {
		if (!NAME.matcher(own).matches()) {
			throw new WrongSetting("MAILROOM_WORKER_GROUP", own, "up to 30 lower-case letters, digits and hyphens");
		}
		this.own = own;
		this.pools = pools;
		this.having = having;
		this.clock = clock;
	}

	/** The group of this worker. */
	public String own() {
		return this.own;
	}

	/** The name of a topic or of a group of consumers for the workers of a group. */
	public static String named(String name, String group) {
		return group.equals(DEFAULT) ? name : name + '.' + group;
	}

	/**
	 * The group whose workers send a mail. As for addresses, a quiet domain gets its mail
	 * from one group and a busy one from all, and a retry goes to the group of the
	 * attempt before.
	 */
	public String of(Lease lease) {
		Route.@Nullable Origin origin = lease.route().origin();
		Map<String, Set<String>> groups = this.having.get();
		if (origin == null || groups.isEmpty()) {
			return DEFAULT;
		}
		@Nullable String before = origin.retry() ? this.assigned.getIfPresent(lease.delivery()) : null;
		if (before != null && groups.values().stream().anyMatch((some) -> some.contains(before))) {
			return before;
		}
		boolean busy = !origin.retry() && isBusy(lease.route().domain());
		@Nullable SendingSource source = this.pools.get()
			.pick(origin.pool(), busy ? lease.delivery().toString() : lease.route().domain(),
					(one) -> groups.containsKey(one.name()) && one.isUsable(origin.retry()))
			.source();
		String group = (source != null)
				? groups.getOrDefault(source.name(), Set.of()).stream().min(String::compareTo).orElse(DEFAULT)
				: DEFAULT;
		if (busy) {
			this.assigned.put(lease.delivery(), group);
		}
		return group;
	}

	/** Whether this worker is in the group for a mail. */
	public boolean isOwn(Lease lease) {
		return of(lease).equals(this.own);
	}

	/** Counts a mail that is published, because busy domains are divided. */
	public void count(Lease lease) {
		if (lease.route().origin() != null && !this.having.get().isEmpty()) {
			this.counts.get(lease.route().domain(), (_) -> new SiteState.HandedCount()).add(this.clock.millis());
		}
	}

	private boolean isBusy(String domain) {
		SiteState.@Nullable HandedCount count = this.counts.getIfPresent(domain);
		return count != null && count.inMinute(this.clock.millis()) > LocalSources.BUSY;
	}

}
