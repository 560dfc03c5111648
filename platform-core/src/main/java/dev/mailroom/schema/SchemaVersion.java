package dev.mailroom.schema;

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
 * Which version the schema has. An app neither migrates nor works with a schema that
 * lacks something: it waits for the migration. A newer one is fine, for a release's
 * migrations run before its apps start and while the last release's still serve.
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

	/** How the database's schema stands to this release; an error where it is away. */
	public Mono<Standing> standing() {
		return this.store.versions()
			.map(MigrationVersion::fromVersion)
			.reduce((one, other) -> (one.compareTo(other) >= 0) ? one : other)
			.map(this::standing)
			.switchIfEmpty(Mono.fromSupplier(() -> standing(null)));
	}

	private Standing standing(@Nullable MigrationVersion installed) {
		boolean older = installed == null || installed.compareTo(this.needed) < 0;
		return new Standing((installed != null) ? installed.getVersion() : "none", this.needed.getVersion(), older);
	}

	/**
	 * How the database's schema stands to this release.
	 *
	 * @param installed the newest version that the database has
	 * @param needed the newest version that this release brings
	 * @param older whether something is missing
	 */
	public record Standing(String installed, String needed, boolean older) {
	}

}
