package dev.mailroom.database;

import java.util.concurrent.atomic.AtomicBoolean;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** A statement that reports to its connection when it is cancelled before its end. */
final class LimitedStatement implements Statement {

	private final Statement statement;

	private final Runnable onCancel;

	LimitedStatement(Statement statement, Runnable onCancel) {
		this.statement = statement;
		this.onCancel = onCancel;
	}

	@Override
	public Flux<? extends Result> execute() {
		return Flux.defer(() -> {
			AtomicBoolean ended = new AtomicBoolean();
			Publisher<? extends Result> results = this.statement.execute();
			return Flux.from(results).doOnTerminate(() -> ended.set(true)).doOnCancel(() -> {
				if (!ended.get()) {
					this.onCancel.run();
				}
			});
		});
	}

	@Override
	public Statement add() {
		this.statement.add();
		return this;
	}

	@Override
	public Statement bind(int index, Object value) {
		this.statement.bind(index, value);
		return this;
	}

	@Override
	public Statement bind(String name, Object value) {
		this.statement.bind(name, value);
		return this;
	}

	@Override
	public Statement bindNull(int index, Class<?> type) {
		this.statement.bindNull(index, type);
		return this;
	}

	@Override
	public Statement bindNull(String name, Class<?> type) {
		this.statement.bindNull(name, type);
		return this;
	}

	@Override
	public Statement returnGeneratedValues(String... columns) {
		this.statement.returnGeneratedValues(columns);
		return this;
	}

	@Override
	public Statement fetchSize(int rows) {
		this.statement.fetchSize(rows);
		return this;
	}

}
