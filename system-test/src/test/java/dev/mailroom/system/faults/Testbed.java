package dev.mailroom.system.faults;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;

/** Started products with their database and SMTP server, to which a run posts mail. */
interface Testbed extends AutoCloseable {

	/** Instances of the API, each of which accepts any request. */
	List<Program> apis();

	Tenant tenant();

	/** The rows of a query, with all columns as text. */
	List<List<String>> rows(String sql) throws SQLException;

	/** Hashes of the copies received by each recipient of a run. */
	Map<String, List<Integer>> copies(String run);

}
