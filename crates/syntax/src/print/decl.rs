//! Types, declarations, functions and statements, each declaration and statement on a line of its own.

use super::Printer;
use crate::operator::{CONDITIONAL, POSTFIX};
use crate::tree::{
    Block, ChannelRef, Decl, DeclaredName, Dimension, ExprId, Function, Hook, Import, Param, Stmt, StmtKind,
    Type, TypeKind, Variables,
};

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: &Type) {
        let prefix = ty.prefix;
        let words = [
            (prefix.constant, "const "),
            (prefix.meta, "meta "),
            (prefix.urgent, "urgent "),
            (prefix.broadcast, "broadcast "),
            (prefix.hybrid, "hybrid "),
        ];
        for (_, word) in words.into_iter().filter(|&(present, _)| present) {
            self.push(word);
        }
        self.type_kind(&ty.kind);
    }

    fn type_kind(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Error => self.push("/* error */"),
            TypeKind::Int(range) => {
                self.push("int");
                if let Some((lower, upper)) = *range {
                    self.brackets(&[lower, upper]);
                }
            }
            TypeKind::Bool => self.push("bool"),
            TypeKind::Clock => self.push("clock"),
            TypeKind::Chan => self.push("chan"),
            TypeKind::Double => self.push("double"),
            TypeKind::Str => self.push("string"),
            TypeKind::Void => self.push("void"),
            TypeKind::Scalar(size) => {
                self.push("scalar");
                self.brackets(&[*size]);
            }
            TypeKind::Struct(fields) => {
                self.push("struct { ");
                for field in fields {
                    self.typed_names(field);
                    self.push("; ");
                }
                self.push("}");
            }
            TypeKind::Named(symbol) => self.push(self.tree.text(*symbol)),
        }
    }

    fn brackets(&mut self, exprs: &[ExprId]) {
        self.push("[");
        self.exprs(exprs);
        self.push("]");
    }

    fn typed_names(&mut self, variables: &Variables) {
        self.ty(&variables.ty);
        self.push(" ");
        self.separated(&variables.names, ", ", Self::declared);
    }

    fn declared(&mut self, declared: &DeclaredName) {
        self.push(self.tree.name(declared.name));
        self.dimensions(&declared.dimensions);
        if let Some(init) = declared.init {
            self.push(" = ");
            self.expr(init);
        }
    }

    fn dimensions(&mut self, dimensions: &[Dimension]) {
        for dimension in dimensions {
            self.push("[");
            match dimension {
                Dimension::Size(size) => self.operand(*size, CONDITIONAL, true),
                Dimension::Type(ty) => self.ty(ty),
            }
            self.push("]");
        }
    }

    pub(super) fn params(&mut self, params: &[Param]) {
        self.separated(params, ", ", |printer, param| {
            printer.ty(&param.ty);
            printer.push(if param.by_reference { " &" } else { " " });
            printer.push(printer.tree.name(param.name));
            printer.dimensions(&param.dimensions);
        });
    }

    pub(super) fn bracketed_params(&mut self, params: &[Param]) {
        self.push("(");
        self.params(params);
        self.push(")");
    }

    /// A declaration on lines of its own.
    pub(super) fn declaration(&mut self, declaration: &Decl) {
        self.line();
        match declaration {
            Decl::Variables(variables) => {
                self.typed_names(variables);
                self.push(";");
            }
            Decl::Typedef(variables) => {
                self.push("typedef ");
                self.typed_names(variables);
                self.push(";");
            }
            Decl::Function(function) => self.function(function),
            Decl::ChannelPriority(priority) => {
                self.push("chan priority ");
                self.separated(&priority.groups, " < ", |printer, group| {
                    printer.separated(group, ", ", Self::channel_ref);
                });
                self.push(";");
            }
            Decl::BeforeUpdate(hook) => self.hook("before_update", hook),
            Decl::AfterUpdate(hook) => self.hook("after_update", hook),
            Decl::Import(import) => self.import(import),
            Decl::Dynamic(template) => {
                self.push("dynamic ");
                self.push(self.tree.name(template.name));
                self.bracketed_params(&template.params);
                self.push(";");
            }
        }
        self.push("\n");
    }

    fn channel_ref(&mut self, channel: &ChannelRef) {
        match *channel {
            ChannelRef::Default(_) => self.push("default"),
            ChannelRef::Channel(channel) => self.operand(channel, POSTFIX, false),
        }
    }

    fn hook(&mut self, word: &str, hook: &Hook) {
        self.push(word);
        self.push(" { ");
        self.exprs(&hook.updates);
        self.push(" }");
    }

    fn import(&mut self, import: &Import) {
        self.push("import ");
        self.string(self.tree.name(import.library));
        self.push(" ");
        self.braces(|printer| {
            for function in &import.functions {
                printer.line();
                if let Some(alias) = function.alias {
                    printer.push(printer.tree.name(alias));
                    printer.push(" = ");
                }
                printer.ty(&function.returns);
                printer.push(" ");
                printer.push(printer.tree.name(function.name));
                printer.bracketed_params(&function.params);
                printer.push(";\n");
            }
        });
        self.push(";");
    }

    fn function(&mut self, function: &Function) {
        self.ty(&function.returns);
        self.push(" ");
        self.push(self.tree.name(function.name));
        self.bracketed_params(&function.params);
        self.push(" ");
        self.block(&function.body);
    }

    fn block(&mut self, block: &Block) {
        self.braces(|printer| {
            for declaration in &block.declarations {
                printer.declaration(declaration);
            }
            for statement in &block.statements {
                printer.line();
                printer.statement(statement);
                printer.push("\n");
            }
        });
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Error => self.push("/* error */;"),
            StmtKind::Empty => self.push(";"),
            StmtKind::Expr(expr) => {
                self.expr(*expr);
                self.push(";");
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => self.if_statement(arms, otherwise.as_deref()),
            StmtKind::While { condition, body } => {
                self.push("while (");
                self.expr(*condition);
                self.push(") ");
                self.statement(body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.push("do ");
                self.statement(body);
                self.push(" while (");
                self.expr(*condition);
                self.push(");");
            }
            StmtKind::For { init, condition, step, body } => {
                self.push("for (");
                self.exprs(init);
                self.push("; ");
                self.exprs(condition);
                self.push("; ");
                self.exprs(step);
                self.push(") ");
                self.statement(body);
            }
            StmtKind::ForEach { binder, body } => {
                self.push("for (");
                self.binder(binder);
                self.push(") ");
                self.statement(body);
            }
            StmtKind::Return(value) => {
                self.push("return");
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(*value);
                }
                self.push(";");
            }
            StmtKind::Assert(condition) => {
                self.push("assert ");
                self.expr(*condition);
                self.push(";");
            }
        }
    }

    fn if_statement(&mut self, arms: &[(ExprId, Stmt)], otherwise: Option<&Stmt>) {
        self.separated(arms, " else ", |printer, (condition, statement)| {
            printer.push("if (");
            printer.expr(*condition);
            printer.push(") ");
            printer.statement(statement);
        });
        if let Some(statement) = otherwise {
            self.push(" else ");
            self.statement(statement);
        }
    }
}
