package dev.mailroom.system.faults;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;

/** Started products with their database and SMTP server, to which a run posts mail. */
interface Testbed extends AutoCloseable {

	/** Instances of the API, each of which accepts any request. */
	List<Program> apis();

	Tenant tenant();

	/** The relay, which is the server of most domains too. */
	ScriptedSmtpServer smtp();

	/** The rows of a query, with all columns as text. */
	List<List<String>> rows(String sql) throws SQLException;

	/** Hashes of the copies received by each recipient of a run. */
	default Map<String, List<Integer>> copies(String run) {
		return smtp().mails()
			.stream()
			.filter((mail) -> mail.rcptTo().startsWith(run))
			.collect(Collectors.groupingBy(ScriptedSmtpServer.Mail::rcptTo,
					Collectors.mapping((mail) -> mail.content().hashCode(), Collectors.toList())));
	}

}
