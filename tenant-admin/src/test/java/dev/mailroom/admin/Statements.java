package dev.mailroom.admin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/** Records the SQL statements of the app's stores. */
@Component
public class Statements implements BeanPostProcessor {

	/** Counts of the platform, and questions about a standby. */
	private static final Pattern RECURRING = Pattern.compile("^insert into traffic|pg_wal_lsn_diff|pg_control_system");

	private final List<String> recorded = new CopyOnWriteArrayList<>();

	/** The statements since the last call, without those that run from time to time. */
	public List<String> take() {
		List<String> statements = this.recorded.stream().filter((sql) -> !RECURRING.matcher(sql).find()).toList();
		this.recorded.clear();
		return statements;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof DatabaseClient client) ? recording(client) : bean;
	}

	private DatabaseClient recording(DatabaseClient client) {
		return (DatabaseClient) Proxy.newProxyInstance(DatabaseClient.class.getClassLoader(),
				new Class<?>[] { DatabaseClient.class }, (_, method, arguments) -> {
					if (method.getName().equals("sql") && arguments[0] instanceof String sql) {
						this.recorded.add(sql.strip());
					}
					try {
						return method.invoke(client, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
