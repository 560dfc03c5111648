package dev.mailroom.directory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The directory of cells: a verified address or domain belongs to one account in one
 * cell. A name is claimed in the directory before the transaction that verifies it, so
 * that no two cells have it; what a failed transaction has claimed is released later, see
 * {@link DirectoryCopy}. No connection of the cell waits for the directory. Look-ups read
 * the copy in the cell's own database and need no directory. Without
 * {@code MAILROOM_DIRECTORY_URL} every claim succeeds and no look-up finds anything,
 * without a statement.
 */
@Service
public class Directory implements DisposableBean {

	private static final Refusal MISDIRECTED = new Refusal(Refusal.Kind.MISDIRECTED, "Misdirected");

	private static final int THREADS = 8;

	/** Claims that may wait for a thread while the directory does not respond. */
	private static final int MAX_WAITING = 16;

	private final DirectoryStore store;

	private final @Nullable DirectoryServer server;

	private final String cell;

	private final Scheduler threads;

	Directory(DirectoryStore store, DirectorySettings settings, @Value("${mailroom.cell.name:}") String cell) {
		this.store = store;
		this.cell = cell;
		this.server = DirectoryServer.of(settings.url(), cell, settings.password());
		this.threads = (this.server != null) ? Schedulers.newBoundedElastic(THREADS, MAX_WAITING, "directory")
				: Schedulers.immediate();
	}

	/** Whether this installation is one of several cells with a directory. */
	public boolean isUsed() {
		return this.server != null;
	}

	/**
	 * Claims an address for an account of this cell.
	 * @throws Refused {@code Misdirected} if another cell has it, or
	 * {@code Service unavailable}
	 */
	public Mono<Void> claim(UUID account, EmailAddress address) {
		return claim(account, name(address)).flatMap((other) -> Mono.error(misdirected(other)));
	}

	/**
	 * Claims a domain for an account of this cell; false if another cell has it.
	 * @throws Refused {@code Service unavailable}
	 */
	public Mono<Boolean> claimDomain(UUID account, String domain) {
		return claim(account, "domain " + domain).hasElement().map((refused) -> !refused);
	}

	private Mono<Home> claim(UUID account, String name) {
		return ask((directory) -> DirectoryStore.claim(directory, List.of(name), List.of(account)));
	}

	/**
	 * Releases an address that does not sign in to an account any more, after the commit.
	 */
	public Mono<Void> release(UUID account, EmailAddress address) {
		return release(account, name(address));
	}

	/** Releases a domain of an account that was deleted, after the commit. */
	public Mono<Void> releaseDomain(UUID account, String domain) {
		return release(account, "domain " + domain);
	}

	/** Releases a name; a later comparison does so if this fails. */
	private Mono<Void> release(UUID account, String name) {
		return home(name).filter((home) -> home.account().equals(account)).flatMap((_) -> ask((directory) -> {
			DirectoryStore.release(directory, List.of(name), List.of(account), Duration.ZERO);
			return List.<Home>of();
		})).then();
	}

	/**
	 * The other cell that has an address, by the directory itself; empty if there is
	 * none.
	 * @throws Refused {@code Service unavailable}
	 */
	public Mono<Home> otherCellNow(EmailAddress address) {
		return ask((directory) -> DirectoryStore.home(directory, name(address))).filter(this::isElsewhere);
	}

	/** The other cell that has an address, by the copy; empty if there is none. */
	public Mono<Home> otherCell(EmailAddress address) {
		return home(name(address)).filter(this::isElsewhere);
	}

	private Mono<Home> home(String name) {
		return isUsed() ? this.store.home(name) : Mono.empty();
	}

	private boolean isElsewhere(Home home) {
		return !home.cell().equals(this.cell);
	}

	/** The refusal of a person whose account is in another cell. */
	public static Refused misdirected(Home home) {
		return MISDIRECTED
			.because("The address has an account in the cell " + home.cell() + ": sign in at " + home.url())
			.with(Map.of("url", home.url()));
	}

	/** Asks the directory; empty without one. */
	private <T> Mono<T> ask(Function<JdbcClient, List<T>> work) {
		DirectoryServer asked = this.server;
		return (asked == null) ? Mono.empty()
				: Mono.fromCallable(() -> asked.run(work))
					.subscribeOn(this.threads)
					.onErrorMap(RejectedExecutionException.class, (_) -> DirectoryServer.unavailable())
					.flatMap((found) -> Mono.justOrEmpty(found.stream().findFirst()));
	}

	/** The directory; null if there is none. */
	@Nullable DirectoryServer server() {
		return this.server;
	}

	/** The name of this cell. */
	String cell() {
		return this.cell;
	}

	/** The name of an address in the directory, as the database computes it. */
	private static String name(EmailAddress address) {
		return "address " + Sha256.hex(address.key());
	}

	@Override
	public void destroy() {
		this.threads.dispose();
	}

	/**
	 * An account with its cell.
	 *
	 * @param url base URL of the cell's web app
	 */
	public record Home(UUID account, String cell, String url) {
	}

	/**
	 * A difference between this cell and the copy of the directory.
	 *
	 * @param kind {@code missing} or {@code surplus} in the copy, or {@code moved} to the
	 * target
	 */
	record Difference(String kind, String name, UUID account, String target) {
	}

}
