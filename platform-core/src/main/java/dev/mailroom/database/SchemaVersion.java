package dev.mailroom.database;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Service;

/**
 * Version of the database's schema. An app is not ready while the schema is older than
 * the app needs. A newer schema is accepted, because migrations run while the apps of the
 * previous release still serve.
 */
@Service
public class SchemaVersion {

	private static final Pattern FILE = Pattern.compile("V([0-9._]+)__.*\\.sql");

	private final SchemaStore store;

	private final MigrationVersion needed;

	SchemaVersion(SchemaStore store) throws IOException {
		this.store = store;
		Resource[] files = new PathMatchingResourcePatternResolver(SchemaVersion.class.getClassLoader())
			.getResources("classpath*:db/migration/V*.sql");
		this.needed = Arrays.stream(files)
			.map((file) -> FILE.matcher(Objects.requireNonNullElse(file.getFilename(), "")))
			.filter(Matcher::matches)
			.map((name) -> MigrationVersion.fromVersion(name.group(1)))
			.max(Comparator.naturalOrder())
			.orElse(MigrationVersion.EMPTY);
	}

	/**
	 * Compares the database's schema with this release; fails if the database is
	 * unreachable.
	 */
	public Mono<State> state() {
		return this.store.versions()
			.map(MigrationVersion::fromVersion)
			.reduce((newest, version) -> (newest.compareTo(version) >= 0) ? newest : version)
			.map(this::state)
			.switchIfEmpty(Mono.fromSupplier(() -> state(null)));
	}

	private State state(@Nullable MigrationVersion installed) {
		boolean older = installed == null || installed.compareTo(this.needed) < 0;
		return new State((installed != null) ? installed.getVersion() : "none", this.needed.getVersion(), older);
	}

	/**
	 * The schema of the database compared with this release.
	 *
	 * @param installed the newest version in the database, or {@code none}
	 * @param needed the newest version of this release
	 * @param older whether the database lacks migrations
	 */
	public record State(String installed, String needed, boolean older) {
	}

}
