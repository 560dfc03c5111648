package dev.mailroom.site;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.mailroom.database.JdbcTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The stored changes of profiles and memories of sites. Workers write what they learn,
 * operators the rest, in transactions of their own that span accounts.
 */
@Service
public class Sites {

	private static final Logger log = LoggerFactory.getLogger(Sites.class);

	private final SiteStore store;

	private final JdbcTransactions threads;

	Sites(SiteStore store, JdbcTransactions threads) {
		this.store = store;
		this.threads = threads;
	}

	/** Saves what was learned, if there is anything, and reads what all know. */
	public Known exchange(Collection<SiteMemory> learned) {
		return this.threads.acrossAccounts((jdbc) -> {
			if (!learned.isEmpty()) {
				this.store.save(jdbc, learned);
				this.store.removeOver(jdbc);
			}
			return new Known(profiles(this.store.changes(jdbc)), this.store.memories(jdbc));
		});
	}

	/** The profiles with the changes of operators. */
	public Mono<Profiles> profiles() {
		return this.store.changes().collectList().map(Sites::profiles);
	}

	/** Memories of sites, the newest first. */
	public Mono<List<SiteMemory>> memories() {
		return this.store.memories().collectList();
	}

	/** Stores what differs from the shipped profile. */
	public Mono<Void> save(ProviderProfile profile, UUID by, Instant at) {
		ProviderProfile change = Profiles.shipped().contains(profile.name())
				? profile.without(Profiles.shipped().get(profile.name())) : profile;
		return this.store.save(profile.name(), Profiles.write(change), by, at);
	}

	/** Removes the change of a profile; false if there is none. */
	public Mono<Boolean> reset(String profile) {
		return this.store.removeChange(profile);
	}

	/** Pauses a site; its pace stays as it is. */
	public Mono<Void> pause(String site, String profile, Instant until, String why, Instant now) {
		return this.store.pause(site, profile, until, why, now);
	}

	/** Deletes what was learned about a site; false if nothing was. */
	public Mono<Boolean> forget(String site) {
		return this.store.forget(site);
	}

	/** A change that cannot be read is left out: the shipped profile applies. */
	private static Profiles profiles(List<String> documents) {
		List<ProviderProfile> changes = new ArrayList<>();
		for (String document : documents) {
			try {
				changes.add(Profiles.read(document));
			}
			catch (RuntimeException ex) {
				log.warn("A stored profile of a provider cannot be read and does not apply: {}", ex.toString());
			}
		}
		return Profiles.with(changes);
	}

	/** Knowledge that all workers and operators share. */
	public record Known(Profiles profiles, List<SiteMemory> memories) {
	}

}
