package dev.mailroom.admin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/** Records the SQL statements of the app's stores. */
@Component
public class Statements implements BeanPostProcessor {

	private final List<String> recorded = new CopyOnWriteArrayList<>();

	/** The statements since the last call, without those that run from time to time. */
	public List<String> take() {
		List<String> statements = this.recorded.stream()
			.filter((sql) -> !sql.startsWith("insert into traffic") && !sql.contains("pg_wal_lsn_diff("))
			.toList();
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
