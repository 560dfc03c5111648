package dev.mailroom.suppression;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Knows whom an account must not send to. */
@Service
public class Suppressions {

	private final SuppressionStore store;

	Suppressions(SuppressionStore store) {
		this.store = store;
	}

	/**
	 * Those of the targets that are suppressed. Call it inside the transaction that needs
	 * to know.
	 */
	public Mono<Set<Target>> among(Collection<Target> targets) {
		return targets.isEmpty() ? Mono.just(Set.of())
				: this.store.among(List.copyOf(targets)).collect(Collectors.toSet());
	}

	/** Suppresses those who are not yet. Call it inside the transaction that says why. */
	public Mono<Void> add(List<Suppressed> suppressed) {
		return suppressed.isEmpty() ? Mono.empty() : this.store.add(suppressed);
	}

}
