package dev.mailroom.standalone.demo;

import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.tracking.Links;

/**
 * The running standalone that the demo account is created in.
 *
 * @param api port of the REST API
 * @param admin port of the admin app
 * @param mailbox port of the mailbox page
 * @param inbound port of the inbound SMTP server
 * @param sandbox domain of the sandbox's recipients
 * @param database access to the embedded database
 * @param operator sign-in of the first operator
 * @param links addresses of tracked links
 * @param returnPath return paths of the mails
 */
public record DemoTarget(int api, int admin, int mailbox, int inbound, String sandbox, Database database,
		Credentials operator, Links links, ReturnPath returnPath) {

	/**
	 * Access to the database as the owner of the schema.
	 *
	 * @param url of the database, as {@code postgresql://host:port/name}
	 */
	public record Database(String url, String user, String password) {
	}

	/** Address and password of an account. */
	public record Credentials(String email, String password) {
	}

}
