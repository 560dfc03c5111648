package dev.mailroom.move;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.WrongSetting;
import dev.mailroom.audit.Act;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BucketCopy;
import dev.mailroom.database.DatabaseUrl;
import dev.mailroom.directory.DirectoryServer;
import dev.mailroom.secret.Seal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves an account to another cell while it sends. Tables with many rows are copied while
 * the account works; triggers record what changes meanwhile, and the changes follow. For
 * some seconds the account then neither accepts nor sends: the last changes, the queue
 * and everything that acts are committed in the new cell in one transaction, which is the
 * move. Until then it can be undone. Each step is stored, so a program that ended is
 * started again with the same arguments. One class, because the order of the steps makes
 * a move exact.
 */
public final class Move implements AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(Move.class);

	private static final String USAGE = "Arguments: move, undo or finish, and the id of the account";

	private static final String OLD = "MAILROOM_";

	private static final String NEW = "MAILROOM_MOVE_";

	/** Limit on the time in which hand-overs and webhook calls in progress end. */
	private static final Duration MAX_DRAIN = Duration.ofMinutes(2);

	/** Changes that are few enough for the time in which the account is stopped. */
	private static final int FEW_CHANGES = 2000;

	/**
	 * Time for which the old cell still refuses changes of requests that began before:
	 * the longest transaction, and the time for which a key is cached.
	 */
	private static final Duration LATE_CHANGES = Duration.ofSeconds(10);

	/** Tries of a change that needs a lock, with a pause of a tenth of a second. */
	private static final int MAX_TRIES = 600;

	/** Passes after which the account is stopped, even if its changes are not few. */
	private static final int MAX_PASSES = 50;

	private static final String CHANGED = """
			from account_change as change cross join lateral jsonb_populate_record(null::%s, change.key) as keyed
			where change.account_id = %s and change.name = %s""";

	private final UUID account;

	private final String oldCell;

	private final String newCell;

	private final CellDatabase from;

	private final CellDatabase to;

	private final @Nullable BucketCopy bucket;

	private final @Nullable Seal seal;

	private final @Nullable DirectoryServer directory;

	private final Duration lateChanges;

	private List<CopiedTable> tables = List.of();

	/** The account and its people, as a constant of SQL. */
	private String people = "";

	private Move(UUID account, Map<String, String> environment, Duration lateChanges) throws SQLException {
		this.account = account;
		this.oldCell = required(environment, OLD + "CELL");
		this.newCell = required(environment, NEW + "CELL");
		this.bucket = BucketCopy.of(environment, OLD, NEW);
		String keys = environment.getOrDefault(NEW + "MASTER_KEY", "");
		this.seal = keys.isBlank() ? null : Seal.of(keys);
		this.lateChanges = lateChanges;
		this.directory = DirectoryServer.of(environment);
		this.from = open(environment, OLD);
		try {
			this.to = open(environment, NEW);
		}
		catch (SQLException ex) {
			this.from.close();
			throw ex;
		}
	}

	private static CellDatabase open(Map<String, String> environment, String prefix) throws SQLException {
		return CellDatabase.open(required(environment, prefix + "DB_URL"),
				new DatabaseUrl.Login(environment.getOrDefault(prefix + "DB_USER", "mailroom"),
						environment.getOrDefault(prefix + "DB_PASSWORD", "")));
	}

	private static String required(Map<String, String> environment, String name) {
		String value = environment.getOrDefault(name, "");
		if (value.isBlank()) {
			throw new WrongSetting(name + " is not set");
		}
		return value;
	}

	/**
	 * Moves an account, or undoes or finishes its move; the program of a deployment's
	 * job. The old cell is the one of the app's own variables, the new one that of the
	 * variables {@code MAILROOM_MOVE_CELL}, {@code MAILROOM_MOVE_DB_URL} and so on. Fails
	 * with status 1.
	 */
	public static void main(String[] arguments) throws SQLException {
		if (arguments.length != 2) {
			throw new IllegalArgumentException(USAGE);
		}
		try (Move move = of(UUID.fromString(arguments[1]), System.getenv(), LATE_CHANGES)) {
			switch (arguments[0]) {
				case "move" -> move.run();
				case "undo" -> move.undo();
				case "finish" -> move.finish();
				default -> throw new IllegalArgumentException(USAGE);
			}
		}
	}

	static Move of(UUID account, Map<String, String> environment, Duration lateChanges) throws SQLException {
		Move move = new Move(account, environment, lateChanges);
		try {
			move.prepare();
			return move;
		}
		catch (SQLException | RuntimeException ex) {
			move.close();
			throw ex;
		}
	}

	private void prepare() throws SQLException {
		// Waits for a statement of a program that was killed.
		this.from.value("select pg_advisory_lock(323, hashtext(?))", this.account.toString());
		this.tables = this.from.tables();
		if (!this.tables.equals(this.to.tables())) {
			throw new IllegalStateException("The databases of the cells have different schemas: upgrade both first");
		}
		readPeople();
		this.from.commit();
		this.to.commit();
	}

	private void readPeople() throws SQLException {
		this.people = CellDatabase.literal(this.from.rows("select account_people(?)", this.account).getFirst())
				+ "::uuid[]";
	}

	/** Moves the account, from the step that was reached. */
	void run() throws SQLException {
		boolean unfinished;
		do {
			unfinished = advance();
		}
		while (unfinished);
	}

	/** Makes the next step; false after the last one. */
	boolean advance() throws SQLException {
		switch (phase()) {
			case "" -> begin();
			case "copying" -> copy();
			case "following" -> {
				verify();
				follow();
				requireDirectory();
				stop();
			}
			case "stopped" -> {
				if (!hasArrived()) {
					hand();
				}
				switchDirectory();
				leave();
			}
			case "moved" -> settle();
			default -> {
				carry();
				return false;
			}
		}
		return true;
	}

	private String phase() throws SQLException {
		@Nullable String phase = this.from.value("select phase from account_move where account_id = ? and phase <> 'arrived'",
				this.account);
		this.from.commit();
		return (phase != null) ? phase : "";
	}

	/** Whether the move is committed; waits for a commit of a program that was killed. */
	private boolean hasArrived() throws SQLException {
		lockArrival();
		boolean arrived = this.to.value("select cell from account_move where account_id = ? and phase = 'arrived'",
				this.account) != null;
		this.to.commit();
		return arrived;
	}

	/** Locks the arrival in the new cell until the end of the transaction. */
	private void lockArrival() throws SQLException {
		this.to.value("select pg_advisory_xact_lock(322, hashtext(?))", this.account.toString());
	}

	private void begin() throws SQLException {
		@Nullable String plan = this.from.value("select movable_plan(?)", this.account);
		if (plan == null) {
			throw new IllegalStateException("There is no account " + this.account + " with a verified address");
		}
		@Nullable String names = this.from.value("select array_agg(name) from unique_names(" + this.people + ") as name");
		@Nullable String taken = this.to.value("select taken_name(?::text[], " + this.people + ", ?)", names, plan);
		if (taken != null) {
			throw new IllegalStateException("The account cannot be moved, because the new cell has " + taken);
		}
		checkSecrets();
		requireDirectory();
		locking(this.to, () -> this.to.run("select follow_late(?, false)", this.account));
		this.to.run("select expect_account(?, ?, ?)", this.account, this.oldCell, plan);
		this.to.commit();
		this.from.run("delete from account_move where account_id = ?", this.account);
		// Half of the numbers that the new cell has used are left for the time of the
		// move.
		long limit = Long.parseLong(this.to.rows("select pg_snapshot_xmin(pg_current_snapshot())").getFirst()) - 1;
		this.to.commit();
		this.from.run(
				"insert into account_move (account_id, cell, phase, followed, event_limit, event_offset) "
						+ "select ?, ?, 'copying', " + this.people
						+ ", ?, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - ?",
				this.account, this.newCell, limit, limit / 2);
		this.from.run("select record_move(?, ?, ?)", this.account, Act.ACCOUNT_MOVE_BEGUN.contractName(), this.newCell);
		this.from.commit();
		log.info("The move of {} to the cell {} has begun", this.account, this.newCell);
	}

	private void checkSecrets() throws SQLException {
		for (String secret : this.from
			.rows("select encode(sealed, 'hex') || ' ' || place from sealed_secrets(" + this.people + ")")) {
			if (this.seal == null) {
				throw new WrongSetting(
						NEW + "MASTER_KEY is not set: the keys of the new cell, which must contain that of"
								+ " the old one, as an earlier key if they differ");
			}
			int end = secret.indexOf(' ');
			this.seal.open(HexFormat.of().parseHex(secret.substring(0, end)), secret.substring(end + 1));
		}
	}

	private void copy() throws SQLException {
		for (CopiedTable table : this.tables) {
			locking(this.from,
					() -> this.from.run("select follow_table(?, " + this.people + ", ?, ?, string_to_array(?, ','), ?)",
							this.account, table.name(), table.ahead(), String.join(",", table.key()), table.owner()));
		}
		List<String> copied = this.from.rows("select unnest(copied) from account_move where account_id = ?",
				this.account);
		this.from.commit();
		for (CopiedTable table : this.tables) {
			if (table.ahead() && !copied.contains(table.name())) {
				this.from.beginRepeatableRead();
				objects("true");
				this.from.copy("select " + String.join(", ", values(table, "{}")) + ofPeople(table), this.to, table,
						true);
				this.from.rollback();
				this.from.run("update account_move set copied = copied || ? where account_id = ?", table.name(),
						this.account);
				this.from.commit();
				log.info("Copied the table {}", table.name());
			}
		}
		this.from.run("update account_move set phase = 'following' where account_id = ?", this.account);
		this.from.commit();
		log.info("All tables are copied, changes follow");
	}

	private String ofPeople(CopiedTable table) {
		return " from " + CopiedTable.quoted(table.name()) + " where " + CopiedTable.quoted(table.owner()) + " = any ("
				+ this.people + ")";
	}

	private List<String> values(CopiedTable table, String snapshots) throws SQLException {
		return this.from.rows("""
				select copied_row(?, ?, name, ?::pg_snapshot[]) from unnest(string_to_array(?, ',')) with ordinality
				       as listed(name, place) order by place""", this.account, table.name(), snapshots,
				String.join(",", table.columns()));
	}

	/** Repeats a change of a table until its lock is free for a moment. */
	private static void locking(CellDatabase database, SqlWork change) throws SQLException {
		for (int tries = 1;; tries++) {
			try {
				change.run();
				database.commit();
				return;
			}
			catch (SQLException ex) {
				database.rollback();
				// A lock, a deadlock, or a row that has changed since it was read.
				if (tries == MAX_TRIES || !List.of("55P03", "40P01", "40001").contains(ex.getSQLState())) {
					throw ex;
				}
				pause();
			}
		}
	}

	/** Copies objects of the bucket before the rows that refer to them. */
	private void objects(String condition) throws SQLException {
		@Nullable BucketCopy copy = this.bucket;
		if (copy != null) {
			copy.copy(this.from
				.rows("select owner_id || ' ' || part from stored_objects(?) where " + condition, this.account)
				.stream()
				.map((row) -> row.split(" ", 2))
				.map((row) -> new Blob.Name(this.account, UUID.fromString(row[0]), row[1]))
				.toList());
		}
	}

	/**
	 * Applies the changes of one state of the old cell, which the open transaction sees.
	 */
	private void apply(String snapshots) throws SQLException {
		List<CopiedTable> early = this.tables.stream().filter(CopiedTable::ahead).toList();
		for (CopiedTable table : early.reversed()) {
			String name = CopiedTable.quoted(table.name());
			@Nullable String gone = this.from.value("select jsonb_agg(distinct change.key)" + changed(table)
					+ " and not exists (select from " + name + " as present where (" + prefixed(table, "present")
					+ ") = (" + prefixed(table, "keyed") + "))");
			if (gone != null) {
				this.to.run("delete from " + name + " where (" + table.keys() + ") in (select " + table.keys()
						+ " from jsonb_populate_recordset(null::" + name + ", ?::jsonb)) and "
						+ CopiedTable.quoted(table.owner()) + " = any (" + this.people + ")", gone);
			}
		}
		objects("""
				owner_id in (select coalesce(key ->> 'email_id', key ->> 'inbound_email_id', key ->> 'id')::uuid
				               from account_change where account_id = '%s'
				                and name in ('email_content', 'inbound_content', 'image'))""".formatted(this.account));
		for (CopiedTable table : early) {
			this.from.copy(
					"select " + String.join(", ", values(table, snapshots)) + ofPeople(table) + " and (" + table.keys()
							+ ") in (select distinct " + prefixed(table, "keyed") + changed(table) + ")",
					this.to, table, false);
		}
	}

	private String changed(CopiedTable table) {
		return CHANGED.formatted(CopiedTable.quoted(table.name()), CellDatabase.literal(this.account.toString()),
				CellDatabase.literal(table.name()));
	}

	private static String prefixed(CopiedTable table, String prefix) {
		return String.join(", ",
				table.key().stream().map((column) -> prefix + "." + CopiedTable.quoted(column)).toList());
	}

	/** Lets the changes follow until few are left. */
	private void follow() throws SQLException {
		int applied = Integer.MAX_VALUE;
		for (int pass = 0; pass < MAX_PASSES && applied > FEW_CHANGES; pass++) {
			this.from.beginRepeatableRead();
			apply("{}");
			this.to.commit();
			applied = this.from.run("delete from account_change where account_id = ?", this.account);
			this.from.commit();
		}
	}

	/** Compares all tables that are copied early, in one state of the old cell. */
	private void verify() throws SQLException {
		follow();
		this.from.beginRepeatableRead();
		apply("{}");
		for (CopiedTable table : this.tables) {
			if (table.ahead()) {
				compare(table, "{}");
			}
		}
		this.to.commit();
		this.from.run("delete from account_change where account_id = ?", this.account);
		this.from.commit();
		log.info("The copied tables are equal");
	}

	private void compare(CopiedTable table, String snapshots) throws SQLException {
		String expected = this.from.checksum(table, values(table, snapshots), this.people);
		String found = this.to.checksum(table, table.columns().stream().map(CopiedTable::quoted).toList(), this.people);
		if (!expected.equals(found)) {
			throw new IllegalStateException("The table " + table.name() + " has " + expected + ", and its copy has "
					+ found + ": undo the move and begin again");
		}
		log.debug("{}: {}", table.name(), found);
	}

	private void stop() throws SQLException {
		this.from.run("select stop_account(?)", this.account);
		this.from.commit();
		log.info("The account is stopped");
	}

	/** Commits the account in the new cell. */
	void hand() throws SQLException {
		try {
			drain();
			this.from.beginRepeatableRead();
			readPeople();
			take(this.from.rows("select hold_campaigns(?)", this.account).getFirst());
		}
		catch (SQLException | RuntimeException ex) {
			this.to.rollback();
			this.from.rollback();
			unlock();
			if (!hasArrived()) {
				this.from.run("select resume_account(?)", this.account);
				this.from.commit();
				log.info("The account works in the old cell again");
			}
			throw ex;
		}
	}

	private void take(String snapshots) throws SQLException {
		lockArrival();
		apply(snapshots);
		for (CopiedTable table : this.tables) {
			if (!table.ahead()) {
				if (!table.isAccounts() && !table.log()) {
					this.to.run("delete" + ofPeople(table));
				}
				this.from.copy("select " + String.join(", ", values(table, snapshots)) + ofPeople(table), this.to,
						table, false);
			}
		}
		for (CopiedTable table : this.tables) {
			if (!table.ahead() && !table.log()) {
				compare(table, snapshots);
			}
		}
		this.to.run("""
				insert into account_move (account_id, cell, phase) values (?, ?, 'arrived')
				on conflict (account_id) do update set cell = excluded.cell, phase = 'arrived'""", this.account,
				this.oldCell);
		this.to.run("select record_move(?, ?, ?)", this.account, Act.ACCOUNT_ARRIVED.contractName(), this.oldCell);
		log.info("The last changes are copied");
		this.to.commit();
		log.info("The account is in the new cell");
	}

	/**
	 * Waits until nothing of the account is handed over any more, then keeps its rows as
	 * they are: triggers wait for the lock.
	 */
	private void drain() throws SQLException {
		long end = System.nanoTime() + MAX_DRAIN.toNanos();
		while (!isIdle() || !lockIfIdle()) {
			if (System.nanoTime() > end) {
				throw new IllegalStateException("Mails or webhook calls of the account are still being sent");
			}
			follow();
			pause();
		}
	}

	private boolean isIdle() throws SQLException {
		boolean idle = "t".equals(this.from.value("select account_is_idle(?)", this.account));
		this.from.commit();
		return idle;
	}

	private boolean lockIfIdle() throws SQLException {
		this.from.value("select pg_advisory_lock(322, hashtext(?))", this.account.toString());
		this.from.commit();
		if (!isIdle()) {
			unlock();
			return false;
		}
		return true;
	}

	private void unlock() throws SQLException {
		this.from.value("select pg_advisory_unlock(322, hashtext(?))", this.account.toString());
		this.from.commit();
	}

	/**
	 * Ends the account in the old cell, in the transaction that has read it if it is
	 * open.
	 */
	private void leave() throws SQLException {
		locking(this.from, () -> {
			this.from.run("select record_move(?, ?, ?)", this.account, Act.ACCOUNT_MOVED.contractName(), this.newCell);
			this.from.run("select leave_account(?)", this.account);
		});
		unlock();
		log.info("The account has left the old cell");
	}

	/** Removes the triggers once no request of the time before can write any more. */
	private void settle() throws SQLException {
		this.from.value("select pg_sleep(?)", this.lateChanges.toMillis() / 1000.0);
		this.from.commit();
		unfollow();
		locking(this.from, () -> this.from.run("select follow_late(?, true)", this.account));
		this.from.run("update account_move set phase = 'left' where account_id = ?", this.account);
		this.from.commit();
	}

	/**
	 * Carries what recipients of old mails want to the new cell, and names the moved
	 * keys, each time the program runs.
	 */
	private void carry() throws SQLException {
		switchDirectory();
		this.from.beginRepeatableRead();
		@Nullable String changes = this.from.value("select late_changes(?)", this.account);
		if (changes != null) {
			this.to.run("select take_late_changes(?, ?::jsonb)", this.account, changes);
			this.to.commit();
			this.from.run("delete from account_change where account_id = ?", this.account);
		}
		for (String prefix : this.from.rows("select moved_keys(?)", this.account)) {
			// A line of the proxy's map of moved keys.
			log.info("moved {} {}", prefix, this.newCell);
		}
		this.from.commit();
	}

	/** Fails before the account is stopped rather than after its move. */
	private void requireDirectory() {
		DirectoryServer server = this.directory;
		if (server != null) {
			server.require(this.newCell);
		}
	}

	/**
	 * Lets the directory name the new cell. The account works there already and does not
	 * wait: the next run, or the comparison of the old cell, repeats what has failed.
	 */
	private void switchDirectory() {
		DirectoryServer server = this.directory;
		if (server != null) {
			try {
				server.move(this.account, this.newCell);
				log.info("The directory names the new cell");
			}
			catch (Refused ex) {
				log.warn("The directory still names the old cell: {}", ex.message());
			}
		}
	}

	private void unfollow() throws SQLException {
		for (CopiedTable table : this.tables) {
			locking(this.from, () -> this.from.run("select unfollow_table(?, ?)", this.account, table.name()));
		}
		this.from.run("delete from account_change where account_id = ?", this.account);
		this.from.commit();
	}

	/** Undoes a move before its commit in the new cell. */
	void undo() throws SQLException {
		if (hasArrived() || phase().equals("moved") || phase().equals("left")) {
			throw new IllegalStateException("The account is in the new cell: move it back from there");
		}
		this.from.run("select resume_account(?)", this.account);
		this.from.commit();
		unfollow();
		this.to.run("select clear_account(?)", this.account);
		this.to.commit();
		if (this.from.run("delete from account_move where account_id = ? and phase <> 'arrived'", this.account) > 0) {
			this.from.run("select record_move(?, ?, ?)", this.account, Act.ACCOUNT_MOVE_UNDONE.contractName(),
					this.newCell);
		}
		this.from.commit();
		log.info("The move is undone");
	}

	/** Removes what a move has left in the old cell for the links of old mails. */
	void finish() throws SQLException {
		if (!phase().equals("left")) {
			throw new IllegalStateException("The account has not been moved");
		}
		locking(this.from, () -> this.from.run("select follow_late(?, false)", this.account));
		carry();
		List<String> kept = this.from
			.rows("select unnest(array['account', 'api_key', 'audit', 'member', 'blob_loose'])");
		List<CopiedTable> left = this.tables.stream().filter((table) -> !kept.contains(table.name())).toList();
		this.from.run("select loosen_objects(?)", this.account);
		this.from.commit();
		for (CopiedTable table : left.reversed()) {
			String name = CopiedTable.quoted(table.name());
			int removed;
			do {
				removed = this.from.run("delete from " + name + " where (" + table.keys() + ") in (select "
						+ table.keys() + ofPeople(table) + " limit 2000)");
				this.from.commit();
			}
			while (removed > 0);
		}
		log.info("What the account had left is removed");
	}

	private static void pause() {
		try {
			Thread.sleep(100);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The move was interrupted", ex);
		}
	}

	@Override
	public void close() throws SQLException {
		try (CellDatabase first = this.from; CellDatabase second = this.to) {
			log.debug("Closing {} and {}", first, second);
		}
	}

	/** Statements of a transaction. */
	private interface SqlWork {

		void run() throws SQLException;

	}

}
